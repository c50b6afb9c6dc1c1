package import Transfers

/// A folder that stays the same one, whatever happens to its path.
package protocol OpenFolder: Sendable {
    /// All names, with the kinds that are known without looking at each; without `.` and `..`.
    ///
    /// - Throws: ``FileError/tooManyEntries(_:limit:)``.
    func names(limit: Int) throws(FileError) -> [FolderName]
    /// The status of the name itself, links not followed. Nil when it is gone.
    func status(of name: [UInt8]) throws(FileError) -> FileStatus?
    /// The status of the name's target inside the shared folder, links followed. Nil when there is none, or it lies outside.
    func target(of name: [UInt8]) -> FileStatus?
    /// Opens a folder by its name, links not followed.
    func openFolder(_ name: [UInt8]) throws(FileError) -> any OpenFolder
}
