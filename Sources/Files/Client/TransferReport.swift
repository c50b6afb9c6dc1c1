/// What a transfer of a file or folder did.
public struct TransferReport: Hashable, Codable, Sendable {
    public var files = 0
    public var bytes: Int64 = 0
    /// Files of a folder that were there already, of the same size and time; they are not among ``files``.
    public var present = 0
    /// Sentences about what was left out: links, FIFOs, names this device cannot hold, other files of the same name.
    public var skipped: [String] = []
    /// Where it is now.
    public var path = ""

    mutating func add(_ other: TransferReport) {
        files += other.files
        bytes += other.bytes
        present += other.present
        skipped += other.skipped
    }
}
