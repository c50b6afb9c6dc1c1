/// Bounds of transfers. Source: `docs/protocol.md`, "Files".
package enum TransferLimits {
    package static let perCaller = 8
    package static let fileSize: Int64 = 1 << 50
    /// After this long without a request a download ends: its asker begins it again, with the parts it has.
    package static let downloadLifetime: Duration = .seconds(2 * 60)
    /// One that was not asked for in this time gives way to its device's next when there are too many: a phone that was killed
    /// leaves some behind.
    package static let downloadIdleness: Duration = .seconds(5)
}
