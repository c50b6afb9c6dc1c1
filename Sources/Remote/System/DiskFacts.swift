/// One mounted file system, in bytes.
public struct DiskFacts: Hashable, Sendable {
    public var mountPoint: String
    public var device: String
    /// For example `ext4`.
    public var kind: String
    public var total: UInt64
    /// What its owner's programs may still write.
    public var free: UInt64

    public init(mountPoint: String, device: String, kind: String, total: UInt64, free: UInt64) {
        self.mountPoint = mountPoint
        self.device = device
        self.kind = kind
        self.total = total
        self.free = free
    }
}
