package import Transfers

/// A folder that stays the same one, whatever happens to its path.
package protocol OpenFolder: Sendable {
    /// All names with what is known of their kinds without looking at each; without `.` and `..`.
    ///
    /// - Throws: ``FileError/tooManyEntries(_:limit:)``.
    func names(limit: Int) throws(FileError) -> [FolderName]
    /// Of the name itself, a link included. Nil when it is gone.
    func status(of name: [UInt8]) throws(FileError) -> FileStatus?
    /// What the name leads to inside the shared folder. Nil when that is nothing, or outside.
    func target(of name: [UInt8]) -> FileStatus?
    /// Without following a link.
    func openFolder(_ name: [UInt8]) throws(FileError) -> any OpenFolder
}
