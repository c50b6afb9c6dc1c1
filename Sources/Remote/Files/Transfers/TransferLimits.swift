/// Bounds of transfers. Source: `docs/protocol.md`, "Files".
enum TransferLimits {
    static let perCaller = 8
    /// The documented chunk; an asker may choose another.
    static let documentedChunk = 65_536
    /// In base64 below a message's 700,000 bytes.
    static let chunks: ClosedRange<Int64> = 4096...393_216
    static let fileSize: Int64 = 1 << 50
    static let downloadLifetime: Duration = .seconds(30 * 60)
}
