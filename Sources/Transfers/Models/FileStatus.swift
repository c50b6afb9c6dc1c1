/// What the system says about a file.
public struct FileStatus: Hashable, Sendable {
    public var kind: FileKind
    public var size: Int64
    public var modifiedNanoseconds: Int64
    public var accessedNanoseconds: Int64
    /// Nil where the file system does not keep it.
    public var createdNanoseconds: Int64?
    public var permissions: UInt32
    public var inode: UInt64
    public var device: UInt64

    public init(
        kind: FileKind,
        size: Int64,
        modifiedNanoseconds: Int64,
        accessedNanoseconds: Int64,
        createdNanoseconds: Int64?,
        permissions: UInt32,
        inode: UInt64,
        device: UInt64
    ) {
        self.kind = kind
        self.size = size
        self.modifiedNanoseconds = modifiedNanoseconds
        self.accessedNanoseconds = accessedNanoseconds
        self.createdNanoseconds = createdNanoseconds
        self.permissions = permissions
        self.inode = inode
        self.device = device
    }

    /// Another text when the content may be another: a transfer that goes on compares it.
    public var version: String {
        "\(String(device, radix: 36))-\(String(inode, radix: 36))-\(size)-\(String(modifiedNanoseconds, radix: 36))"
    }
}
