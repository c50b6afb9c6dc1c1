/// An entry of a zip archive whose body is stored as it is.
public struct StoredEntry: Hashable, Sendable {
    public let name: ArchiveName
    /// Bytes of the body.
    public let size: UInt64
    public let crc32: UInt32

    public init(name: ArchiveName, size: UInt64, crc32: UInt32) {
        self.name = name
        self.size = size
        self.crc32 = crc32
    }
}
