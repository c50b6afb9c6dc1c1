/// A file open for reading.
package protocol ReadableFile: Sendable {
    /// The status of the open file, whatever its name stands for by now.
    func status() throws(FileError) -> FileStatus
    /// Reads `count` bytes, fewer only at the end of the file.
    func read(at offset: Int64, count: Int) throws(FileError) -> [UInt8]
    /// The parts that are not stored and read as zeros, as far as they are worth telling: see ``FileHoles``.
    func holes() -> ByteRanges
}

extension ReadableFile {
    package func holes() -> ByteRanges { ByteRanges() }
}
