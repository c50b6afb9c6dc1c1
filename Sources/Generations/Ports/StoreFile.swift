/// An open file of a ``FileSystemPort``. Calls block. It is closed at the latest when nobody holds it any more.
package protocol StoreFile: Sendable {
    /// - Returns: `count` bytes, or fewer where the file ends.
    func read(_ count: Int, at offset: UInt64) throws(GenerationsError) -> [UInt8]
    /// Writes all bytes; a failed call may have written some of them.
    func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(GenerationsError)
    func truncate(to size: UInt64) throws(GenerationsError)
    /// The bytes and the size are on the disk when this returns. The name is not: ``FileSystemPort/synchronizeFolder(_:)``.
    func synchronize() throws(GenerationsError)
    func size() throws(GenerationsError) -> UInt64
    func close()
}

extension StoreFile {
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(GenerationsError) {
        try write(bytes[...], at: offset)
    }
}

/// How a file is opened.
package enum FileOpening: Hashable, Sendable {
    case read
    /// A file that is there, for reading and writing.
    case write
    /// A new file for its owner only; ``GenerationsError/exists(_:)`` where the name is taken.
    case create
}
