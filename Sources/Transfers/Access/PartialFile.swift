/// A file that is being received, beside the one it will become.
package protocol PartialFile: ReadableFile {
    /// Writes at an offset in bytes, also beyond the end.
    func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(FileError)
    /// Returns when what was written survives a power cut.
    func synchronize() throws(FileError)
    /// Whether the name it was made with still leads to this very file: an open one stays open when its name is removed.
    func isInPlace() throws(FileError) -> Bool
    /// Gives it its name in one step.
    ///
    /// - Parameters:
    ///   - permissions: The source's POSIX mode; the person's mask is taken from it, see ``ArrivingMode``.
    ///   - modifiedMilliseconds: Since 1970-01-01T00:00:00Z; nil: when it was written last.
    /// - Throws: ``FileError/exists(_:)`` where the name is taken and `replacing` is false.
    func finish(as name: [UInt8], replacing: Bool, permissions: UInt32?, modifiedMilliseconds: Int64?) throws(FileError)
    /// Removes it.
    func discard() throws(FileError)
}
