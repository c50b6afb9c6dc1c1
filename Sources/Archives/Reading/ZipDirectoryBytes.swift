/// A zip archive's directory as it comes from the source; a record at a time is in memory.
struct ZipDirectoryBytes {
    private let feed: ArchiveFeed
    private var waiting: ArraySlice<UInt8>
    /// Where the next byte stands in the archive.
    private(set) var offset: UInt64

    init(_ feed: ArchiveFeed, at start: UInt64) {
        self.feed = feed
        waiting = feed.bytes(from: start)[...]
        offset = start
    }

    /// - Throws: ``ArchiveError/truncated``, and what the source throws.
    mutating func bytes(_ count: Int) throws -> [UInt8] {
        while waiting.count < count {
            let more = try feed.more()
            guard !more.isEmpty else { throw ArchiveError.truncated }
            waiting += more
        }
        defer { waiting = waiting.dropFirst(count) }
        offset += UInt64(count)
        return Array(waiting.prefix(count))
    }

    mutating func number(_ count: Int) throws -> UInt64 {
        try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func skip(_ count: Int) throws { _ = try bytes(count) }

    mutating func isAtEnd() throws -> Bool { try waiting.isEmpty && feed.more().isEmpty }
}
