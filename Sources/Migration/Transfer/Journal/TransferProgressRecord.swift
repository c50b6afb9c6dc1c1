import Kernel

/// The state that a receiver's `transfer.journal` tells: what of which package is on the disk. Nothing is hashed again to know it.
public struct TransferProgressRecord: Hashable, Sendable {
    public enum End: Hashable, Sendable { case done, cancelled }

    public var headerSHA256: [UInt8] = []
    public var transferID = ""
    public var meta: [UInt8]?
    public var received = ChunkRanges()
    /// Bytes that were received and may be holes: whoever gave their space back has them elsewhere.
    package private(set) var released = RangeSet<Int64>()
    public var isPaused = false
    public var end: End?
    /// Bytes of the journal that are whole; a torn tail behind them is cut off before the next record is appended.
    public private(set) var wholeBytes = 0

    /// Reads a journal. It ends at the first record that is cut short or whose checksum is wrong: everything behind it was never confirmed.
    ///
    /// - Throws: ``MigrationTransferError/damagedJournal`` where the first record is not a whole header.
    public init(reading journal: [UInt8]) throws(MigrationTransferError) {
        while let (record, end) = Self.record(in: journal, at: wholeBytes) {
            if let record { apply(record) }
            guard !headerSHA256.isEmpty else { throw .damagedJournal }
            wholeBytes = end
        }
        guard wholeBytes > 0 else { throw .damagedJournal }
    }

    /// Whether the journal belongs to the package that a peer offers.
    public func isBound(toHeader headerSHA256: [UInt8], transferID: String) -> Bool {
        self.headerSHA256 == headerSHA256 && self.transferID == transferID && end == nil
    }

    private mutating func apply(_ record: TransferRecord) {
        switch record {
        // A second header would bind the ranges in front of it to another package.
        case .header(let hash, let id) where headerSHA256.isEmpty: (headerSHA256, transferID) = (hash, id)
        case .header: break
        case .meta(let json): meta = json
        case .received(let range): received.insert(range)
        case .resumed: isPaused = false
        case .paused: isPaused = true
        case .done: end = .done
        case .cancelled: end = .cancelled
        case .released(let range): released.insert(contentsOf: range)
        case .missing(let range):
            let chunks = ChunkRanges(range)
            received = received.subtracting(chunks)
            // They come whole, whatever of them was a hole.
            if let meta = try? meta.map({ try JSONValue(parsing: $0).decode(as: BackupMeta.self) }),
                (try? meta.checkSizes()) != nil
            {
                released = released.subtracting(meta.byteRanges(of: chunks))
            }
        }
    }

    private static func record(in journal: [UInt8], at start: Int) -> (TransferRecord?, end: Int)? {
        guard journal.count - start >= 9 else { return nil }
        let length = Int(journal.bigEndian32(at: start))
        guard length <= TransferRecord.maximumBodyBytes, journal.count - start >= 9 + length else { return nil }
        let sum = start + 5 + length
        guard CRC32C.checksum(journal[start..<sum]) == journal.bigEndian32(at: sum) else { return nil }
        return (TransferRecord(kind: journal[start + 4], body: Array(journal[(start + 5)..<sum])), sum + 4)
    }
}
