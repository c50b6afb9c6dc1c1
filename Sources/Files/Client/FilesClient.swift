public import Commands
public import Foundation
import Transfers

/// Looks at a computer's files and changes them. Whole files and folders go by ``FileTransferClient``.
///
/// Paths are the computer's, with names as in ``FileEntry/nameText``; one that does not begin with `/` begins where the computer's
/// paths do, usually in the person's home folder. Every call throws ``RemoteFailure`` when the computer refused, ``RemoteError`` or another
/// other errors when no answer came.
public struct FilesClient: Sendable {
    /// Entries of one folder that are taken at most.
    public static let entryLimit = 200_000

    let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// Lists a folder: folders first, then by name.
    ///
    /// - Parameter path: Empty: where the computer's paths begin.
    /// - Throws: Also ``FileError/tooManyEntries(_:limit:)``, from ``entryLimit`` on.
    public func list(_ path: String, showingHidden: Bool = false) async throws -> FolderListing {
        var params = ListFolder(path: path)
        params.showsHidden = showingHidden
        var whole = try await part(params)
        while let next = try whole.nextOffset(after: params.offset) {
            guard whole.entries.count <= Self.entryLimit else {
                throw FileError.tooManyEntries(path, limit: Self.entryLimit)
            }
            params.offset = next
            let more = try await part(params)
            whole.entries += more.entries
            whole.nextOffset = more.nextOffset
        }
        return whole
    }

    /// Lists a part of a folder: as much as fits into one answer.
    public func part(_ folder: ListFolder) async throws -> FolderListing {
        try await peer.call(FileMethods.list, folder)
    }

    /// Finds files and folders whose name holds the pattern.
    public func search(_ files: SearchFiles) async throws -> SearchResults {
        try await peer.call(FileMethods.search, files)
    }

    /// Reads a part of a file: as much of it as fits into one answer.
    public func read(_ part: ReadFile) async throws -> FilePart { try await peer.call(FileMethods.read, part) }

    /// Reads a file from its start to its end, a part after the other.
    ///
    /// - Throws: Also ``TransferError/sourceChanged(_:)`` for a file that became shorter meanwhile; what `take` throws.
    public func read(_ path: String, take: (Data) async throws -> Void) async throws {
        var params = ReadFile(path: path)
        while true {
            let part = try await read(params)
            try await take(part.bytes)
            if part.isLast { return }
            guard part.count > 0, part.count <= FileLimits.part else { throw TransferError.sourceChanged(path) }
            params.offset += Int64(part.count)
        }
    }

    /// The entry of a file or folder. Nil when nothing is there.
    public func information(_ path: String) async throws -> FileEntry? {
        try await peer.call(FileMethods.info, NamedFile(path: path)).file
    }

    /// Whether there is a file or folder.
    public func existence(_ path: String) async throws -> FileExistence {
        try await peer.call(FileMethods.exists, NamedFile(path: path))
    }

    /// Makes a folder.
    ///
    /// - Parameter withParents: Also the folders on the way to it.
    @discardableResult
    public func makeFolder(_ path: String, withParents: Bool = true) async throws -> FolderCreated {
        try await peer.call(FileMethods.createFolder, CreateFolder(path: path, withParents: withParents))
    }

    /// Gives a file or folder another name in the folder where it is.
    ///
    /// - Parameter name: 1 to 255 bytes without a slash.
    @discardableResult
    public func rename(_ path: String, to name: String, replacing: Bool = false) async throws -> FileMoved {
        try await peer.call(FileMethods.rename, MoveFile(path: path, to: .name(name), replacing: replacing))
    }

    /// Moves a file or folder, as `mv` does: into a folder that is there, or one that is named with a slash at its end, under its own name.
    @discardableResult
    public func move(_ path: String, to target: String, replacing: Bool = false) async throws -> FileMoved {
        let place = MoveFile.Target.path(try await destination(of: path, at: target))
        return try await peer.call(FileMethods.rename, MoveFile(path: path, to: place, replacing: replacing))
    }

    private func destination(of path: String, at target: String) async throws -> String {
        let isFolder = target.hasSuffix("/") ? true : try await existence(target).isFolder
        guard isFolder, path != target, let name = path.split(separator: "/").last else { return target }
        return (target.hasSuffix("/") ? target : target + "/") + name
    }

    /// Puts a file or folder into the computer's trash.
    ///
    /// - Parameters:
    ///   - recursively: Also a folder with something in it.
    ///   - forGood: Deletes it instead.
    @discardableResult
    public func delete(_ path: String, recursively: Bool = false, forGood: Bool = false) async throws -> FileDeleted {
        try await peer.call(
            FileMethods.delete,
            DeleteFile(path: path, recursively: recursively, forGood: forGood)
        )
    }
}
