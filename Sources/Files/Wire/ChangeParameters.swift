public import Commands
public import Kernel
import Transfers

/// A new name or a new place for a file or folder.
public struct MoveFile: MethodParameters, Hashable {
    /// How a file or folder is to be called.
    public enum Target: Hashable, Sendable {
        /// In the folder where it is: 1 to 255 bytes without a slash.
        case name(String)
        /// A whole path with the new name, of 1 to 4096 bytes: in any shared folder on the same disk.
        case path(String)
    }

    /// Where it is now: 1 to 4096 bytes.
    public var path: String
    /// The new name or path.
    public var target: Target
    /// Whether what is there may be replaced.
    public var replaces: Bool

    public init(path: String, to target: Target, replacing: Bool = false) {
        self.path = path
        self.target = target
        replaces = replacing
    }

    /// - Throws: `RemoteFailure` with -32602 where a path is missing or too long; `FileError/badName(_:)` for a new name that no file
    ///   can have.
    public init(wire: RemoteParameters) throws {
        path = try wire.requiredPath("path", "oldPath", "source", "from")
        if wire.has("newName") {
            let name = try wire.text("newName", limit: FileLimits.name)
            try FileNameText.check(FileNameText.bytes(name))
            target = .name(name)
        } else {
            target = .path(try wire.requiredPath("newPath", "destination", "to"))
        }
        replaces = try wire.flag("overwrite")
    }

    /// The parameters of ``FileMethods/rename``.
    public var wire: JSONValue {
        var members: [String: JSONValue] = ["path": .string(path), "overwrite": .bool(replaces)]
        switch target {
        case .name(let name): members["newName"] = .string(name)
        case .path(let path): members["newPath"] = .string(path)
        }
        return .object(members)
    }
}

/// A file or folder that is to go away.
public struct DeleteFile: MethodParameters, Hashable {
    /// 1 to 4096 bytes.
    public var path: String
    /// Whether a folder may go with everything in it.
    public var isRecursive: Bool
    /// Whether it is deleted for good, rather than put into the trash.
    public var isForGood: Bool

    public init(path: String, recursively: Bool = false, forGood: Bool = false) {
        self.path = path
        isRecursive = recursively
        isForGood = forGood
    }

    /// - Throws: `RemoteFailure` with -32602 where `path` is missing or too long, or a flag is no boolean.
    public init(wire: RemoteParameters) throws {
        path = try wire.requiredPath("path", "filePath")
        isRecursive = try wire.flag("recursive")
        isForGood = try wire.flag("force")
    }

    /// The parameters of ``FileMethods/delete``.
    public var wire: JSONValue {
        ["path": .string(path), "recursive": .bool(isRecursive), "force": .bool(isForGood)]
    }
}
