import Commands
package import Transfers

/// A folder's entries in the short form: `f 644 1024 1790000000000 name/` each, which is kind, octal permissions, size, modified, and the
/// name up to the slash no name can hold. Source: `docs/protocol.md`, "Files".
package struct CompactEntries: Hashable, Sendable {
    private var bytes: [UInt8] = []

    package init() {}

    init(_ entries: [FileEntry]) {
        for entry in entries {
            append(entry.name, entry.kind, entry.permissions ?? 0, entry.size ?? 0, entry.modifiedMilliseconds ?? 0)
        }
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
    package var count: Int { bytes.count }

    /// The bytes that were appended from the byte `start` on.
    package func suffix(from start: Int) -> ArraySlice<UInt8> { bytes[start...] }

    package mutating func removeSuffix(from start: Int) { bytes.removeSubrange(start...) }

    package mutating func append(name: [UInt8], status: FileStatus) {
        append(name, status.kind, status.permissions, status.size, status.modifiedMilliseconds)
    }

    private mutating func append(
        _ name: [UInt8],
        _ kind: FileKind,
        _ permissions: UInt32,
        _ size: Int64,
        _ modified: Int64
    ) {
        bytes.append(Self.letter(kind))
        for number in [Int64(permissions), size, modified].enumerated() {
            bytes.append(UInt8(ascii: " "))
            bytes += String(number.element, radix: number.offset == 0 ? 8 : 10).utf8
        }
        bytes.append(UInt8(ascii: " "))
        bytes += FileNameText.text(name).utf8
        bytes.append(UInt8(ascii: "/"))
    }

    /// - Parameter folder: Its path.
    static func read(_ text: String, in folder: String) throws(RemoteError) -> [FileEntry] {
        var entries: [FileEntry] = []
        for record in text.utf8.split(separator: UInt8(ascii: "/")) {
            let fields = record.split(separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false)
            guard fields.count == 5, fields[0].count == 1, let letter = fields[0].first, let kind = kinds[letter],
                let permissions = UInt32(String(decoding: fields[1], as: UTF8.self), radix: 8),
                let size = Int64(String(decoding: fields[2], as: UTF8.self)),
                let modified = Int64(String(decoding: fields[3], as: UTF8.self))
            else { throw .malformedResult }
            let name = FileNameText.bytes(String(decoding: Array(fields[4]), as: UTF8.self))
            entries.append(
                FileEntry(
                    name: name,
                    in: folder,
                    kind: kind,
                    permissions: permissions,
                    size: size,
                    modified: modified
                )
            )
        }
        return entries
    }

    private static let kinds: [UInt8: FileKind] = Dictionary(
        uniqueKeysWithValues: [
            FileKind.file, .folder, .link, .fifo, .socket, .characterDevice, .blockDevice, .kernel,
        ].map { (letter($0), $0) }
    )

    private static func letter(_ kind: FileKind) -> UInt8 {
        switch kind {
        case .file: UInt8(ascii: "f")
        case .folder: UInt8(ascii: "d")
        case .link: UInt8(ascii: "l")
        case .fifo: UInt8(ascii: "p")
        case .socket: UInt8(ascii: "s")
        case .characterDevice: UInt8(ascii: "c")
        case .blockDevice: UInt8(ascii: "b")
        case .kernel: UInt8(ascii: "k")
        }
    }
}
