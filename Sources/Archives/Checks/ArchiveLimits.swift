/// What an archive may unpack to before it is refused.
public struct ArchiveLimits: Hashable, Sendable {
    public var entries: Int
    /// Bytes of all entries together.
    public var totalBytes: UInt64
    /// Unpacked bytes for each packed byte of one entry.
    public var ratio: UInt64

    /// Texts of JSON: 512 MiB in all. Deflate packs no honest text of records beyond 200 to 1.
    public static let records = ArchiveLimits(entries: 2_000_000, totalBytes: 512 << 20, ratio: 200)

    public init(entries: Int, totalBytes: UInt64, ratio: UInt64) {
        self.entries = entries
        self.totalBytes = totalBytes
        self.ratio = ratio
    }
}
