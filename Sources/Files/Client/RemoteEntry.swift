import Kernel
import Transfers

/// An entry of a desktop's folder, as far as a transfer needs it.
struct RemoteEntry: Hashable, Sendable {
    var name: [UInt8]
    var kind: FileKind
    /// Nil when the desktop does not say it.
    var mark: FileMark?

    func path(in folder: String) -> String {
        (folder.hasSuffix("/") ? folder : folder + "/") + FileNameText.text(name)
    }

    /// Reads the compact form, and the documented one from a desktop that knows no other.
    static func entries(_ answer: JSONValue) throws(TransferError) -> [RemoteEntry] {
        if let compact = answer["compact"]?.stringValue {
            var entries: [RemoteEntry] = []
            for record in compact.utf8.split(separator: UInt8(ascii: "/")) {
                let fields = record.split(separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false)
                guard fields.count == 5, fields[0].count == 1, let letter = fields[0].first, let kind = kinds[letter]
                else {
                    throw .malformedAnswer(method: "file.listDirectory")
                }
                let text = String(decoding: Array(fields[4]), as: UTF8.self)
                let size = Int64(String(decoding: fields[2], as: UTF8.self))
                let modified = Int64(String(decoding: fields[3], as: UTF8.self))
                guard let size, let modified else { throw .malformedAnswer(method: "file.listDirectory") }
                let mark = FileMark(size: size, modifiedMilliseconds: modified)
                entries.append(RemoteEntry(name: FileNameText.bytes(text), kind: kind, mark: mark))
            }
            return entries
        }
        guard let values = answer["entries"]?.arrayValue else { throw .malformedAnswer(method: "file.listDirectory") }
        return values.compactMap { value in
            guard let name = value["name"]?.stringValue else { return nil }
            let isFolder = value["isDirectory"]?.boolValue == true || value["type"]?.stringValue == "directory"
            let isLink = value["type"]?.stringValue == "symlink"
            let kind: FileKind = isLink ? .link : isFolder ? .folder : .file
            return RemoteEntry(name: FileNameText.bytes(name), kind: kind, mark: FileMark(value))
        }
    }

    private static let kinds: [UInt8: FileKind] = [
        UInt8(ascii: "f"): .file, UInt8(ascii: "d"): .folder, UInt8(ascii: "l"): .link, UInt8(ascii: "p"): .fifo,
        UInt8(ascii: "s"): .socket, UInt8(ascii: "c"): .characterDevice, UInt8(ascii: "b"): .blockDevice,
        UInt8(ascii: "k"): .kernel,
    ]
}
