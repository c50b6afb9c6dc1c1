package import Foundation

/// The file system as generations and a restore use it, below one root. Calls block: they are made off the cooperative threads. Tests put a
/// simulated disk there that loses power at any call.
///
/// Durable is only what was synchronized: a file's bytes by ``StoreFile/synchronize()``, names by ``synchronizeFolder(_:)``.
package protocol FileSystemPort: Sendable {
    /// Where a library with its own access to files, such as SQLite, finds `path`.
    func url(of path: StorePath) -> URL
    func open(_ path: StorePath, _ opening: FileOpening) throws(GenerationsError) -> any StoreFile
    /// Makes a folder for its owner only. Its parent has to be there.
    ///
    /// - Throws: ``GenerationsError/exists(_:)`` where the name is taken.
    func makeFolder(_ path: StorePath) throws(GenerationsError)
    /// Renames a file or folder in one step. A file in the way is replaced in the same step.
    func rename(_ path: StorePath, to target: StorePath) throws(GenerationsError)
    func removeFile(_ path: StorePath) throws(GenerationsError)
    /// Removes an empty folder.
    func removeFolder(_ path: StorePath) throws(GenerationsError)
    /// The names in the folder are on the disk when this returns.
    func synchronizeFolder(_ path: StorePath) throws(GenerationsError)
    /// Every file and folder at and below `path` is on the disk when this returns, whoever wrote it.
    func synchronizeTree(_ path: StorePath) throws(GenerationsError)
    /// The names in a folder, at most `limit` of them, in order.
    func names(in path: StorePath, limit: Int) throws(GenerationsError) -> [String]
    /// Nil for nothing. A link is ``EntryStatus/Kind/other`` and is not followed.
    func status(of path: StorePath) throws(GenerationsError) -> EntryStatus?
    func room() throws(GenerationsError) -> DiskRoom
}

/// The facts of a name.
package struct EntryStatus: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case file, folder, other
    }

    package let kind: Kind
    /// In bytes; 0 for what is no file.
    package let size: UInt64

    package init(kind: Kind, size: UInt64) {
        self.kind = kind
        self.size = size
    }
}

/// The space of the disk, in bytes.
package struct DiskRoom: Hashable, Sendable {
    /// What this user may still take.
    package let free: UInt64
    package let total: UInt64

    package init(free: UInt64, total: UInt64) {
        self.free = free
        self.total = total
    }
}
