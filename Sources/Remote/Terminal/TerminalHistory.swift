import Kernel

/// A piece of a session's past. Source: `docs/protocol.md`, "Terminal".
struct TerminalHistory: Hashable, Sendable {
    struct Chunk: Hashable, Sendable {
        var seq: Int64
        var data: String
    }

    /// What an answer may cost, written as a JSON text inside a JSON text, so that it fits into one message.
    private static let costLimit = 600_000 + 3 * chunkCost
    /// What a chunk costs beside its text.
    private static let chunkCost = 64

    var chunks: [Chunk]
    /// Something before the first of them was asked for and is gone.
    var isTruncated: Bool
    /// There is more after the last of them: ask again.
    var hasMore: Bool

    init(chunks: [Chunk], isTruncated: Bool, hasMore: Bool) {
        self.chunks = chunks
        self.isTruncated = isTruncated
        self.hasMore = hasMore
    }

    /// - Parameter first: Inclusive; 0 for the newest there is, which is never truncated.
    init(of ring: TerminalRing, from first: Int64) {
        isTruncated = first > 0 && first < ring.firstSeq
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
        chunks = first == 0 ? taken.reversed() : taken
        hasMore = first > 0 && seq <= ring.lastSeq
    }

    var value: JSONValue {
        var members: [String: JSONValue] = [
            "chunks": .array(chunks.map { ["seq": .integer($0.seq), "data": .string($0.data)] }),
            "truncated": .bool(isTruncated),
        ]
        if hasMore { members["more"] = true }
        return .object(members)
    }

    /// - Throws: ``RemoteError/malformedResult``.
    init(_ value: JSONValue) throws(RemoteError) {
        guard let list = value["chunks"]?.arrayValue else { throw .malformedResult }
        chunks = []
        for element in list {
            guard let seq = element["seq"]?.integerValue, seq > 0, let data = element["data"]?.stringValue else {
                throw .malformedResult
            }
            chunks.append(Chunk(seq: seq, data: data))
        }
        isTruncated = value["truncated"]?.boolValue ?? false
        hasMore = value["more"]?.boolValue ?? false
    }
}
