/// A file open for reading.
package protocol ReadableFile: Sendable {
    /// Of the open file, whatever its name stands for by now.
    func status() throws(FileError) -> FileStatus
    /// Fewer bytes than asked for only at the end.
    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8]
}
