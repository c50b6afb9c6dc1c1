/// The result of a transfer of a file or folder.
public struct TransferReport: Hashable, Codable, Sendable {
    /// Files that are whole at the other side because of this call, also where parts of them were there from an earlier one.
    public var files = 0
    /// The sizes of ``files`` together, in bytes.
    public var bytes: Int64 = 0
    /// Files of a folder that were there already, of the same size and time; they are not among ``files``.
    public var present = 0
    /// Sentences about what was left out: links, FIFOs, names this device cannot hold, other files of the same name.
    public var skipped: [String] = []
    /// Files that grew while they were fetched: what stood there at the beginning is here. Nil: none.
    public var grown: [String]?
    /// Where the file or folder is now: a path on the computer after an upload, on this device after a download.
    public var path = ""

    mutating func add(_ other: TransferReport) {
        files += other.files
        bytes += other.bytes
        present += other.present
        skipped += other.skipped
        if let more = other.grown { grown = (grown ?? []) + more }
    }
}
