/// A folder that small files come into, many at a time. It stays the same one, whatever happens to its path. Calls block.
package protocol ArrivalFolder: Sendable {
    /// The status of the name itself, links not followed; nil when nothing has it.
    func status(of name: [UInt8]) throws(FileError) -> FileStatus?
    /// Looks at what may come here as late as can be: before anything is written, and again before files get their names.
    ///
    /// - Returns: For each of `names`, why no file may come there under it; nil where one may.
    /// - Throws: An error about all of them.
    func refusals(of names: [[UInt8]]) throws(FileError) -> [FileError?]
    /// Makes a file with everything in it, its permissions and its date; none of it needs to be on the disk when this returns.
    ///
    /// - Parameter part: A hidden name, which nothing has.
    func write(_ file: WholeFile, as part: [UInt8]) throws(FileError)
    /// Returns when everything that was written here survives a power cut.
    func synchronizeFiles() throws(FileError)
    /// Gives a part its name in one step; that needs not be on the disk when this returns.
    ///
    /// - Throws: ``FileError/exists(_:)`` where the name is taken and `replacing` is false.
    func name(_ part: [UInt8], as name: [UInt8], replacing: Bool) throws(FileError)
    /// Returns when the names survive a power cut.
    func synchronizeNames() throws(FileError)
    /// Removes a part; does nothing where there is none.
    func remove(_ part: [UInt8]) throws(FileError)
    /// The path of a name here, for sentences.
    func text(of name: [UInt8]) -> String
}
