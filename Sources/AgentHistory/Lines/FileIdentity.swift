/// A file's identity and state: they tell without reading it whether it changed.
public struct FileIdentity: Hashable, Sendable {
    /// The file system.
    public let device: UInt64
    /// The file in its file system.
    public let inode: UInt64
    /// Bytes on disk; of a compressed file its compressed ones.
    public let size: Int64
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let modifiedMilliseconds: Int64

    public init(device: UInt64, inode: UInt64, size: Int64, modifiedMilliseconds: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modifiedMilliseconds = modifiedMilliseconds
    }
}
