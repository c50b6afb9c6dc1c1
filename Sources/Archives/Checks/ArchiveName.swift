/// The name of an entry, proved safe to join to a folder on every system that the package may be unpacked on.
public struct ArchiveName: Hashable, Sendable {
    /// Bytes of a whole name; systems allow 4096 with the folder in front.
    static let maximumByteCount = 1024
    /// Bytes between two slashes: what file systems hold.
    static let maximumComponent = 255

    /// Without a slash at the end.
    public let text: String
    public let isFolder: Bool

    /// - Throws: ``ArchiveError/unsafeName(_:reason:)``.
    public init(_ name: String) throws(ArchiveError) {
        guard !name.isEmpty else { throw .unsafeName(name, reason: .empty) }
        guard name.utf8.count <= Self.maximumByteCount else {
            throw .unsafeName(String(name.prefix(64)), reason: .tooLong)
        }
        func refused(_ fault: ArchiveError.NameFault) -> ArchiveError { .unsafeName(name, reason: fault) }
        // The bytes are looked at: as characters, a slash with a combining mark behind it is another character than a slash.
        let bytes = Array(name.utf8)
        guard bytes[0] != UInt8(ascii: "/") else { throw refused(.absolute) }
        guard !bytes.contains(UInt8(ascii: "\\")) else { throw refused(.backslash) }
        guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw refused(.control) }
        if bytes.count >= 2, bytes[1] == UInt8(ascii: ":") { throw refused(.driveLetter) }
        isFolder = bytes.last == UInt8(ascii: "/")
        let path = isFolder ? bytes.dropLast() : bytes[...]
        for component in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard !component.isEmpty, !component.elementsEqual(".".utf8) else { throw refused(.emptyComponent) }
            guard !component.elementsEqual("..".utf8) else { throw refused(.parent) }
            guard component.count <= Self.maximumComponent else { throw refused(.tooLong) }
        }
        text = String(decoding: path, as: UTF8.self)
    }
}
