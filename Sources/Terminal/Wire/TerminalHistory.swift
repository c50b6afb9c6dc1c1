public import Commands
public import Kernel

/// A piece of a terminal's past.
public struct TerminalHistory: MethodAnswer, Hashable {
    public struct Chunk: Hashable, Sendable {
        /// From 1.
        public var seq: Int64
        public var data: String

        public init(seq: Int64, data: String) {
            self.seq = seq
            self.data = data
        }
    }

    public var chunks: [Chunk]
    /// Something before the first of them was asked for and is gone.
    public var isTruncated: Bool
    /// There is more after the last of them: ask again.
    public var hasMore: Bool

    public init(chunks: [Chunk], isTruncated: Bool, hasMore: Bool) {
        self.chunks = chunks
        self.isTruncated = isTruncated
        self.hasMore = hasMore
    }

    public var wire: JSONValue {
        var members: [String: JSONValue] = [
            "chunks": .array(chunks.map { ["seq": .integer($0.seq), "data": .string($0.data)] }),
            "truncated": .bool(isTruncated),
        ]
        if hasMore { members["more"] = true }
        return .object(members)
    }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let list = wire["chunks"]?.arrayValue else { throw .malformedResult }
        chunks = []
        for element in list {
            guard let seq = element["seq"]?.terminalSeq, let data = element["data"]?.stringValue else {
                throw .malformedResult
            }
            chunks.append(Chunk(seq: seq, data: data))
        }
        isTruncated = wire["truncated"]?.boolValue ?? false
        hasMore = wire["more"]?.boolValue ?? false
    }
}
