/// One mounted file system, in bytes.
public struct DiskFacts: Hashable, Sendable {
    /// The path at which it is mounted. Empty from programs that do not say.
    public var mountPoint: String
    /// The mounted device, for example `/dev/nvme0n1p2`. Empty from programs that do not say.
    public var device: String
    /// For example `ext4`.
    public var kind: String
    /// The file system's size, its reserve for root included.
    public var total: UInt64
    /// Bytes that its owner's programs may still write.
    public var free: UInt64
    /// Bytes that files take. Together with `free` it is less than `total` where the file system keeps a reserve for root.
    public var used: UInt64

    /// - Parameter used: Left out where nothing is kept in reserve.
    public init(
        mountPoint: String,
        device: String,
        kind: String,
        total: UInt64,
        free: UInt64,
        used: UInt64? = nil
    ) {
        self.mountPoint = mountPoint
        self.device = device
        self.kind = kind
        self.total = total
        self.free = free
        self.used = used ?? (total > free ? total - free : 0)
    }
}
