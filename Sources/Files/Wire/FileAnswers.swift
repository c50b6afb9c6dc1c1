public import Commands
public import Foundation
public import Kernel

/// A part of a file.
public struct FilePart: MethodAnswer, Hashable {
    /// Bytes to ask for at a time where the whole file is wanted: as many as fit into an answer in base64.
    public static let bytesAtATime: Int64 = 393_216

    /// Bytes of a file, as the computer sent them.
    public enum Content: Hashable, Sendable {
        /// UTF-8, where text was asked for and the bytes are such.
        case text(String)
        /// Where bytes were asked for, or the part is not UTF-8. Sent as base64.
        case data(Data)
    }

    /// In full; empty where the computer does not say it.
    public var path: String
    /// The file's bytes from ``offset`` on.
    public var content: Content
    /// The whole file's size in bytes; nil where the computer does not say it.
    public var size: Int64?
    /// Where these bytes begin in the file, 0 or more.
    public var offset: Int64
    /// Whether the file ends with these bytes; true where the computer does not say it.
    public var isLast: Bool
    /// When the file was changed last, in milliseconds since 1970-01-01T00:00:00Z; nil where the computer does not say it, which then guards no
    /// file that was edited against a change beside it.
    public var modifiedMilliseconds: Int64?

    public init(path: String, content: Content, size: Int64, offset: Int64) {
        self.path = path
        self.content = content
        self.size = size
        self.offset = offset
        isLast = true
        isLast = offset + Int64(count) >= size
    }

    /// - Throws: `RemoteError/malformedResult` without `content`, or where it is not the base64 that `encoding` announces.
    public init(wire: JSONValue) throws(RemoteError) {
        guard let text = wire["content"]?.stringValue else { throw .malformedResult }
        if wire["encoding"]?.stringValue == "base64" {
            guard let data = Data(base64Encoded: text) else { throw .malformedResult }
            content = .data(data)
        } else {
            content = .text(text)
        }
        path = wire["path"]?.stringValue ?? ""
        size = wire["size"]?.sizeValue
        offset = wire["offset"]?.sizeValue ?? 0
        isLast = wire["isLast"]?.boolValue ?? true
        modifiedMilliseconds = wire["modified"]?.integerValue
    }

    /// The bytes of ``content``.
    public var bytes: Data {
        switch content {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }

    /// How many ``bytes`` are.
    public var count: Int {
        switch content {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }

    /// The answer to `file.readFile`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        let (text, encoding) =
            switch content {
            case .text(let text): (text, "utf-8")
            case .data(let data): (data.base64EncodedString(), "base64")
            }
        return .members([
            "success": true, "path": .string(path), "content": .string(text), "encoding": .string(encoding),
            "size": .whole(size), "offset": .integer(offset), "length": .integer(Int64(count)),
            "isLast": .bool(isLast), "nextOffset": isLast ? nil : .integer(offset + Int64(count)),
            "modified": .whole(modifiedMilliseconds),
        ])
    }
}

/// The entry of a file or folder, if there is one.
package struct FileInformation: MethodAnswer, Hashable {
    /// Nil when nothing is there.
    package var file: FileEntry?

    package init(file: FileEntry?) { self.file = file }

    package init(wire: JSONValue) throws(RemoteError) {
        switch wire["file"] {
        case nil: guard wire["exists"]?.boolValue == false else { throw .malformedResult }
        // Said to be nothing, also by a program that says no more.
        case .null?: guard wire["exists"]?.boolValue != true else { throw .malformedResult }
        case let file?:
            guard wire["exists"]?.boolValue != false else { return }
            guard let entry = FileEntry(wire: file) else { throw .malformedResult }
            self.file = entry
        }
    }

    package var wire: JSONValue {
        ["success": true, "exists": .bool(file != nil), "file": file?.wire ?? .null]
    }
}

/// Whether there is a file or folder.
public struct FileExistence: MethodAnswer, Hashable {
    /// The kind of thing that a name stands for. Raw values are the wire's `type`.
    public enum Kind: String, Hashable, Sendable {
        /// Also what is neither: FIFOs, sockets and devices.
        case file
        case folder = "directory"
        /// A symbolic link, wherever it leads.
        case link = "symlink"
    }

    /// Nil when nothing is there.
    public var kind: Kind?
    /// Whether it is a folder, or a link that leads to one.
    public var isFolder: Bool

    public init(kind: Kind?, isFolder: Bool) {
        self.kind = kind
        self.isFolder = isFolder
    }

    /// - Throws: `RemoteError/malformedResult` without `exists`.
    public init(wire: JSONValue) throws(RemoteError) {
        guard let exists = wire["exists"]?.boolValue else { throw .malformedResult }
        let said = wire["type"]?.stringValue.flatMap(Kind.init(rawValue:))
        isFolder = exists && (wire["isDirectory"]?.boolValue ?? (said == .folder))
        kind = exists ? said ?? (isFolder ? .folder : .file) : nil
    }

    /// Whether anything has the name.
    public var exists: Bool { kind != nil }

    /// The answer to `file.exists`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        .members([
            "success": true, "exists": .bool(exists), "type": .text(kind?.rawValue),
            "isDirectory": exists ? .bool(isFolder) : nil,
        ])
    }
}

/// A folder that was made.
public struct FolderCreated: MethodAnswer, Hashable {
    /// In full; empty where the computer does not say it.
    public var path: String
    /// False when it was there already.
    public var isNew: Bool
    /// How many small files the computer takes at a time; nil: one after the other.
    package var batch: BatchTerms?

    public init(path: String, isNew: Bool) {
        self.path = path
        self.isNew = isNew
    }

    public init(wire: JSONValue) {
        path = wire["path"]?.stringValue ?? ""
        isNew = wire["created"]?.boolValue ?? true
        batch = BatchTerms(wire: wire["batch"])
    }

    /// The answer to `file.createDirectory`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        .members([
            "success": true, "path": .string(path), "created": .bool(isNew), "batch": batch?.wire,
        ])
    }
}

/// A file or folder that has another name or place.
public struct FileMoved: MethodAnswer, Hashable {
    /// In full; empty where the computer does not say it.
    public var oldPath: String
    /// In full; empty where the computer does not say it.
    public var path: String

    public init(oldPath: String, path: String) {
        self.oldPath = oldPath
        self.path = path
    }

    public init(wire: JSONValue) {
        oldPath = wire["oldPath"]?.stringValue ?? ""
        path = (wire["newPath"] ?? wire["path"])?.stringValue ?? ""
    }

    /// The answer to `file.rename`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        ["success": true, "oldPath": .string(oldPath), "newPath": .string(path), "path": .string(path)]
    }
}

/// A file or folder that went away.
public struct FileDeleted: MethodAnswer, Hashable {
    /// In full; empty where the computer does not say it.
    public var path: String
    /// Whether it lies in the computer's trash.
    public var isInTrash: Bool

    public init(path: String, isInTrash: Bool) {
        self.path = path
        self.isInTrash = isInTrash
    }

    public init(wire: JSONValue) {
        path = wire["path"]?.stringValue ?? ""
        isInTrash = wire["trashed"]?.boolValue ?? false
    }

    /// The answer to `file.delete`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue { ["success": true, "path": .string(path), "trashed": .bool(isInTrash)] }
}
