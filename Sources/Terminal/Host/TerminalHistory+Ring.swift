import Terminal

extension TerminalHistory {
    /// What an answer may cost, written as a JSON text inside a JSON text, so that it fits into one message.
    private static let costLimit = 600_000 + 3 * chunkCost
    /// What a chunk costs beside its text.
    private static let chunkCost = 64

    /// - Parameter first: Inclusive; 0 for the newest there is, which is never truncated.
    init(of ring: TerminalRing, from first: Int64) {
        let isTruncated = first > 0 && first < ring.firstSeq
        var cost = 0
        var taken: [Chunk] = []
        var seq = first == 0 ? ring.lastSeq : max(first, ring.firstSeq)
        // The newest where nothing in particular was asked for; else in order, so that a gap closes from its beginning.
        while let chunk = ring.chunk(seq) {
            cost += Self.chunkCost + TerminalRing.cost(of: chunk.text)
            guard cost <= Self.costLimit else { break }
            taken.append(Chunk(seq: seq, data: chunk.text))
            seq += first == 0 ? -1 : 1
        }
        self.init(
            chunks: first == 0 ? taken.reversed() : taken,
            isTruncated: isTruncated,
            hasMore: first > 0 && seq <= ring.lastSeq
        )
    }
}
