public import Commands
public import Kernel
import Transfers

/// Which entries of a folder are wanted.
public struct ListFolder: MethodParameters, Hashable {
    /// Empty: where the computer's paths begin.
    public var path: String
    /// Whether entries are wanted whose names begin with a dot.
    public var showsHidden = false
    /// Whether subfolders are listed too, down to ``maxDepth``.
    public var isRecursive = false
    /// 0 to 1000; 1 is the folder itself. Ours go down 64 at most.
    public var maxDepth = 1
    /// A shorter form, of which many more entries fit into an answer. Computers that do not know it answer in full.
    public var isCompact = false
    /// Entries to pass over, 0 to 2^31 - 1.
    public var offset = 0
    /// Entries wanted at most, from 1 on; nil: as many as fit.
    public var limit: Int?

    public init(path: String) { self.path = path }

    /// - Throws: `RemoteFailure` with -32602, naming a parameter that is missing or outside of its bounds.
    public init(wire: RemoteParameters) throws {
        path = try wire.path()
        offset = Int(try wire.optionalInteger("offset", in: 0...FileLimits.count) ?? 0)
        limit = try wire.optionalInteger("limit", in: 1...FileLimits.count).map { Int($0) }
        showsHidden = try wire.flag("showHidden")
        isCompact = try wire.flag("compact")
        maxDepth = Int(try wire.optionalInteger("maxDepth", in: 0...FileLimits.depth) ?? 1)
        isRecursive = try wire.flag("recursive")
    }

    /// The parameters of `file.listDirectory`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        .members([
            "path": .string(path), "showHidden": .bool(showsHidden), "recursive": .bool(isRecursive),
            "maxDepth": .integer(Int64(maxDepth)), "compact": isCompact ? true : nil,
            "offset": .integer(Int64(offset)), "limit": .whole(limit),
        ])
    }
}

/// A search for names below a folder.
public struct SearchFiles: MethodParameters, Hashable {
    /// Empty: where the computer's paths begin.
    public var path: String
    /// A part of a name, or a whole one with `*` and `?`, of 1 to 255 bytes; small letters like capitals.
    public var pattern: String
    /// Whether names are looked at that begin with a dot.
    public var showsHidden = false
    /// 1 to 1000; ours go down 64 at most. Nil: as far as the computer goes.
    public var maxDepth: Int?
    /// 1 to 1000; nil: 200.
    public var maxResults: Int?

    public init(_ pattern: String, in path: String = "") {
        self.path = path
        self.pattern = pattern
    }

    /// Takes `query` where there is no `pattern`.
    ///
    /// - Throws: `RemoteFailure` with -32602, naming a parameter that is missing or outside of its bounds.
    public init(wire: RemoteParameters) throws {
        path = try wire.path()
        pattern = try wire.text(wire.has("pattern") ? "pattern" : "query", limit: 255)
        showsHidden = try wire.flag("showHidden")
        maxDepth = try wire.optionalInteger("maxDepth", in: 1...FileLimits.depth).map { Int($0) }
        maxResults = try wire.optionalInteger("maxResults", in: 1...1000).map { Int($0) }
    }

    /// The parameters of `file.search`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        .members([
            "pattern": .string(pattern), "path": .string(path), "showHidden": showsHidden ? true : nil,
            "maxDepth": .whole(maxDepth), "maxResults": .whole(maxResults),
        ])
    }
}

/// A part of a file that is wanted.
public struct ReadFile: MethodParameters, Hashable {
    /// 1 to 4096 bytes.
    public var path: String
    /// Whether text is wanted as text; bytes that are none come as they are all the same.
    public var isText: Bool
    /// Where it begins in the file: 0 to 2^50.
    public var offset: Int64
    /// In bytes: 1 to 2^20.
    public var length: Int64

    public init(path: String, isText: Bool = false, offset: Int64 = 0, length: Int64 = FilePart.bytesAtATime) {
        self.path = path
        self.isText = isText
        self.offset = offset
        self.length = length
    }

    /// - Throws: `RemoteFailure` with -32602, naming a parameter that is missing or outside of its bounds.
    public init(wire: RemoteParameters) throws {
        path = try wire.requiredPath("path", "filePath")
        let encoding = (try wire.optionalText("encoding", limit: 16) ?? "utf-8").lowercased()
        guard ["utf-8", "utf8", "base64"].contains(encoding) else {
            throw RemoteFailure.badParameter("encoding", "utf-8 or base64")
        }
        isText = encoding != "base64"
        offset = try wire.optionalInteger("offset", in: 0...TransferLimits.fileSize) ?? 0
        length = try wire.optionalInteger("length", in: 1...FileLimits.part) ?? FileLimits.part
    }

    /// The parameters of `file.readFile`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        [
            "path": .string(path), "encoding": isText ? "utf-8" : "base64", "offset": .integer(offset),
            "length": .integer(length),
        ]
    }
}

/// A file or folder that is asked about.
package struct NamedFile: MethodParameters, Hashable {
    package var path: String

    package init(path: String) { self.path = path }

    package init(wire: RemoteParameters) throws { path = try wire.requiredPath("path", "filePath") }

    package var wire: JSONValue { ["path": .string(path)] }
}

/// A folder that is to be made.
public struct CreateFolder: MethodParameters, Hashable {
    /// 1 to 4096 bytes.
    public var path: String
    /// Whether the folders on the way to it are made too.
    public var withParents: Bool
    /// Those of the folder that it is made for, 0 to 0o777; nil where there is none. The computer's own rules are kept.
    public var permissions: UInt32?

    public init(path: String, withParents: Bool = true, permissions: UInt32? = nil) {
        self.path = path
        self.withParents = withParents
        self.permissions = permissions
    }

    /// - Throws: `RemoteFailure` with -32602 where `path` is missing or too long, `recursive` is no boolean, or `permissions` is no number
    ///   from 0 to 0o777.
    public init(wire: RemoteParameters) throws {
        path = try wire.requiredPath("path", "dirPath")
        withParents = try wire.flag("recursive", default: true)
        permissions = try wire.optionalInteger("permissions", in: 0...0o777).map(UInt32.init)
    }

    /// The parameters of `file.createDirectory`. Source: `docs/protocol.md`, "Files".
    public var wire: JSONValue {
        .members([
            "path": .string(path), "recursive": withParents ? nil : false, "permissions": .whole(permissions),
        ])
    }
}
