/// One mounted file system, in bytes.
package struct DiskFacts: Hashable, Sendable {
    package var mountPoint: String
    package var device: String
    /// For example `ext4`.
    package var kind: String
    package var total: UInt64
    /// What its owner's programs may still write.
    package var free: UInt64
    /// What files take. Together with `free` it is less than `total` where the file system keeps a reserve for root.
    package var used: UInt64

    /// - Parameter used: Left out where nothing is kept in reserve.
    package init(
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
