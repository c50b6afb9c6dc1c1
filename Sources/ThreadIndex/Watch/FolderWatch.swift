/// Hears of changes in folders from the system.
package protocol FolderWatch: Sendable {
    /// Changes from now on, until the stream's reader is cancelled. May block while the folders are walked; when it returns, they are
    /// watched.
    ///
    /// - Parameters:
    ///   - folders: Watched with all folders in them, also those that are made later; they need not exist yet.
    ///   - files: Single files outside of these folders; they need not exist yet either.
    func changes(below folders: [String], files: [String]) -> AsyncStream<FolderChange>
}

/// A change that a watch noticed.
package enum FolderChange: Sendable, Hashable {
    /// The content of the file at this path changed.
    case written(path: String)
    /// A file or folder came to this path, or left it.
    case moved(path: String)
    /// Changes were lost: everything has to be looked at again.
    case lost
    /// Some folders are not watched from now on, for this reason.
    case incomplete(reason: String)
}
