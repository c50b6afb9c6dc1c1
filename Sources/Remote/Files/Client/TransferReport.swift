/// What a transfer of a file or folder did.
public struct TransferReport: Hashable, Sendable {
    public var files = 0
    public var bytes: Int64 = 0
    /// Sentences about what was left out: links, FIFOs, names this device cannot hold.
    public var skipped: [String] = []
    /// Where it is now.
    public var path = ""

    mutating func add(_ other: TransferReport) {
        files += other.files
        bytes += other.bytes
        skipped += other.skipped
    }
}
