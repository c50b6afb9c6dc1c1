import Terminal

extension TerminalHistory {
    /// The most that an answer may cost, written as a JSON text inside a JSON text, so that it fits into one message.
    private static let costLimit = 600_000 + 3 * chunkCost
    /// The cost of a chunk beside its text.
    private static let chunkCost = 64

    /// Nil where a screen that begins here has nothing to be brought to, and where it goes on from what it has.
    private static func state(of ring: TerminalRing, before seq: Int64, _ isTruncated: Bool) -> String? {
        let state = ring.state(before: seq)
        return isTruncated || state != TerminalState() ? state.sequence : nil
    }

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
        if first == 0 { taken.reverse() }
        self.init(
            chunks: taken,
            isTruncated: isTruncated,
            hasMore: first > 0 && seq <= ring.lastSeq,
            state: first == 0 || isTruncated
                ? taken.first.flatMap { Self.state(of: ring, before: $0.seq, isTruncated) } : nil
        )
    }
}
