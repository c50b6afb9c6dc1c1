import Foundation
package import Kernel
public import Transfers

/// A file or folder as a computer describes it. Source: `docs/protocol.md`, "Files".
public struct FileEntry: Hashable, Sendable {
    /// Any bytes: a name need not be UTF-8.
    public var name: [UInt8]
    /// In full, with names as in ``nameText``; empty where the computer does not say it.
    public var path: String
    /// The kind of the entry itself: a link is a link, wherever it leads.
    public var kind: FileKind
    /// Whether it is a folder, or a link that leads to one.
    public var isFolder: Bool
    /// Bytes; nil where the computer does not say it.
    public var size: Int64?
    /// When its content changed last, in milliseconds since 1970-01-01T00:00:00Z; nil where the computer does not say it.
    public var modifiedMilliseconds: Int64?
    /// When it was made, as ``modifiedMilliseconds``; the last change's time where the file system does not keep it.
    public var createdMilliseconds: Int64?
    /// When it was read last, as ``modifiedMilliseconds``.
    public var accessedMilliseconds: Int64?
    /// Whether the computer says it is hidden; where it does not say, whether the name begins with a dot.
    public var isHidden: Bool
    /// Whether its permissions let no user write to it; false where the computer does not say it.
    public var isReadOnly: Bool
    /// The low bits of a POSIX mode; nil where the computer does not say it.
    public var permissions: UInt32?

    package init(name: [UInt8], path: String, status: FileStatus, isFolder: Bool) {
        self.name = name
        self.path = path
        kind = status.kind
        self.isFolder = isFolder
        size = status.size
        modifiedMilliseconds = status.modifiedMilliseconds
        createdMilliseconds = (status.created ?? status.modified).milliseconds
        accessedMilliseconds = status.accessed.milliseconds
        isHidden = name.first == UInt8(ascii: ".")
        isReadOnly = Self.isReadOnly(status.permissions)
        permissions = status.permissions
    }

    /// Reads one under the documented or the observed member names. Nil for what has no name.
    init?(wire: JSONValue) {
        let path = wire["path"]?.stringValue ?? ""
        let last = path.split(separator: "/").last.map(String.init)
        guard let text = wire["name"]?.stringValue ?? last else { return nil }
        let type = wire["type"]?.stringValue
        name = FileNameText.bytes(text)
        self.path = path
        let said = (wire["kind"]?.stringValue ?? type).flatMap(FileKind.init(rawValue:)) ?? .file
        isFolder = wire["isDirectory"]?.boolValue == true || type == FileKind.folder.rawValue || said == .folder
        kind = said == .file && isFolder ? .folder : said
        size = wire["size"]?.integerValue
        modifiedMilliseconds = (wire["modified"] ?? wire["modifiedTime"])?.integerValue
        createdMilliseconds = wire["createdTime"]?.integerValue
        accessedMilliseconds = wire["accessedTime"]?.integerValue
        permissions = wire["permissions"]?.permissionsValue
        isHidden = wire["isHidden"]?.boolValue ?? (name.first == UInt8(ascii: "."))
        isReadOnly = wire["isReadOnly"]?.boolValue ?? permissions.map(Self.isReadOnly) ?? false
    }

    /// One of a folder's compact form.
    init(name: [UInt8], in folder: String, kind: FileKind, permissions: UInt32, size: Int64, modified: Int64) {
        self.name = name
        path = Self.path(of: name, in: folder)
        self.kind = kind
        isFolder = kind == .folder
        self.size = size
        modifiedMilliseconds = modified
        isHidden = name.first == UInt8(ascii: ".")
        isReadOnly = Self.isReadOnly(permissions)
        self.permissions = permissions
    }

    /// ``name`` as the wire writes it: bytes that are not UTF-8 become U+EF80 to U+EFFF. Source: `docs/protocol.md`, "Paths".
    public var nameText: String { FileNameText.text(name) }

    package var wire: JSONValue {
        let text = nameText
        let nameBytes = FileNameText.isEscaped(text) ? Data(name).base64EncodedString() : nil
        return .members([
            "name": .string(text), "path": path.isEmpty ? nil : .string(path), "type": .string(kind.documentedType),
            "isDirectory": .bool(isFolder), "size": .whole(size), "modifiedTime": .whole(modifiedMilliseconds),
            "modified": .whole(modifiedMilliseconds), "createdTime": .whole(createdMilliseconds),
            "accessedTime": .whole(accessedMilliseconds), "isHidden": .bool(isHidden),
            "isReadOnly": .bool(isReadOnly), "kind": .string(kind.rawValue), "permissions": .whole(permissions),
            "nameBytes": .text(nameBytes),
        ])
    }

    /// The entry's path in the folder that was asked for.
    func path(in folder: String) -> String { Self.path(of: name, in: folder) }

    private static func path(of name: [UInt8], in folder: String) -> String {
        (folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/") + FileNameText.text(name)
    }

    private static func isReadOnly(_ permissions: UInt32) -> Bool { permissions & 0o222 == 0 }
}

extension FileKind {
    /// The documented `type`, which knows three.
    package var documentedType: String {
        switch self {
        case .folder, .link: rawValue
        default: Self.file.rawValue
        }
    }
}

extension FileStatus {
    /// Since 1970-01-01T00:00:00Z, rounded down.
    package var modifiedMilliseconds: Int64 { modified.milliseconds }
}
