/// A file that is being received, beside the one it will become.
package protocol PartialFile: ReadableFile {
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError)
    /// Returns when what was written survives a power cut.
    func synchronize() throws(FileError)
    /// Gives it its name, all at once.
    func finish(as name: [UInt8], replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?) throws(FileError)
    func discard() throws(FileError)
}
