/// Bounds of transfers. Source: `docs/protocol.md`, "Files".
package enum TransferLimits {
    package static let perCaller = 8
    package static let fileSize: Int64 = 1 << 50
    /// When a file changed last, in milliseconds since 1970-01-01T00:00:00Z: from the begin of the year 1 to the end of the year 9999.
    package static let modified: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
    /// After this long without a request a download ends: its asker begins it again, with the parts it has.
    package static let downloadLifetime: Duration = .seconds(2 * 60)
    /// A download that was not asked for in this time gives way to its device's next when there are too many: a phone that was killed
    /// leaves some behind.
    package static let downloadIdleness: Duration = .seconds(5)
    /// A download that was not asked for in this time ends when its device asks for the same file again.
    package static let repeatIdleness: Duration = .seconds(1)
    /// An upload that nothing was sent to for this long does not count among its device's open transfers; its part is kept.
    package static let uploadIdleness: Duration = .seconds(60)
    /// Parts that are kept of one device's uploads. Beyond it the one goes that was idle the longest: each holds its file's room on disk.
    package static let partsPerCaller = 64
}
