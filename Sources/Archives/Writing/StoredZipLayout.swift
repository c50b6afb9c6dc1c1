/// A zip archive of stored entries, as arithmetic: where each byte lies follows from the entries' names, sizes and checksums, so any range
/// of it can be made at any time, with the same bytes. A library's writer makes an archive from its beginning only. Times are fixed to
/// 1980-01-01, the first that the format holds. Source: PKWARE's APPNOTE.TXT 6.3.10.
public struct StoredZipLayout: Sendable {
    public enum Piece: Hashable, Sendable {
        case bytes([UInt8])
        /// Bytes of an entry's body.
        case body(entry: Int, range: Range<UInt64>)
    }

    /// Entries and bytes beyond these are no archive of ours; sums stay far from an overflow.
    static let maximumSize = UInt64(1) << 48
    private static let maximumEntries = 2_000_000

    private let entries: [StoredEntry]
    /// Where each entry's local header begins, and at the end, where the directory does.
    private let locals: [UInt64]
    /// Where each entry's record in the directory begins, and at the end, where the directory ends.
    private let records: [UInt64]
    private let tail: [UInt8]
    /// Bytes of the archive.
    public let length: UInt64

    /// - Throws: ``ArchiveError/invalidArgument(_:)``, ``ArchiveError/tooManyEntries(limit:)``.
    public init(_ entries: [StoredEntry]) throws(ArchiveError) {
        guard entries.count <= Self.maximumEntries else { throw .tooManyEntries(limit: Self.maximumEntries) }
        var locals: [UInt64] = [0]
        for entry in entries {
            guard entry.size <= Self.maximumSize, !entry.name.isFolder || entry.size == 0 else {
                throw .invalidArgument("size")
            }
            let next = locals[locals.count - 1] + UInt64(Self.localHeader(entry).count) + entry.size
            guard next <= Self.maximumSize else { throw .invalidArgument("size") }
            locals.append(next)
        }
        var records = [locals[entries.count]]
        for (index, entry) in entries.enumerated() {
            records.append(records[index] + UInt64(Self.record(entry, at: locals[index]).count))
        }
        self.entries = entries
        self.locals = locals
        self.records = records
        tail = Self.tail(count: UInt64(entries.count), start: records[0], end: records[entries.count])
        length = records[entries.count] + UInt64(tail.count)
    }

    /// What the archive holds in `range`, in order.
    ///
    /// - Throws: ``ArchiveError/invalidArgument(_:)`` for a range outside the archive.
    public func pieces(in range: Range<UInt64>) throws(ArchiveError) -> [Piece] {
        guard range.upperBound <= length else { throw .invalidArgument("range") }
        var pieces: [Piece] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let (piece, next) = piece(at: place, until: range.upperBound)
            pieces.append(piece)
            place = next
        }
        return pieces
    }

    private func piece(at place: UInt64, until limit: UInt64) -> (Piece, next: UInt64) {
        if place >= records[entries.count] { return Self.cut(tail, from: records[entries.count], place, limit) }
        if place >= records[0] {
            let index = Self.index(of: place, in: records)
            return Self.cut(Self.record(entries[index], at: locals[index]), from: records[index], place, limit)
        }
        let index = Self.index(of: place, in: locals)
        let header = Self.localHeader(entries[index])
        let body = locals[index] + UInt64(header.count)
        if place < body { return Self.cut(header, from: locals[index], place, limit) }
        let end = min(limit, locals[index + 1])
        return (.body(entry: index, range: place - body..<end - body), end)
    }

    private static func cut(
        _ bytes: [UInt8],
        from start: UInt64,
        _ place: UInt64,
        _ limit: UInt64
    ) -> (Piece, next: UInt64) {
        let end = min(limit, start + UInt64(bytes.count))
        return (.bytes(Array(bytes[Int(place - start)..<Int(end - start)])), end)
    }

    /// The last of `starts` that is not beyond `place`.
    private static func index(of place: UInt64, in starts: [UInt64]) -> Int {
        var low = 0
        var high = starts.count - 1
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= place { low = middle } else { high = middle }
        }
        return low
    }
}
