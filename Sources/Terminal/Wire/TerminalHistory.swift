package import Commands
package import Kernel

/// A piece of a terminal's past.
package struct TerminalHistory: MethodAnswer, Hashable {
    /// A numbered piece of output, as one event carries it.
    package struct Chunk: Hashable, Sendable {
        /// From 1.
        package var seq: Int64
        /// Whole characters, at most 192 KiB of UTF-8.
        package var data: String

        package init(seq: Int64, data: String) {
            self.seq = seq
            self.data = data
        }
    }

    /// In order, without gaps between them.
    package var chunks: [Chunk]
    /// Something before the first of them was asked for and is gone.
    package var isTruncated: Bool
    /// There is more after the last of them: ask again.
    package var hasMore: Bool

    package init(chunks: [Chunk], isTruncated: Bool, hasMore: Bool) {
        self.chunks = chunks
        self.isTruncated = isTruncated
        self.hasMore = hasMore
    }

    package var wire: JSONValue {
        var members: [String: JSONValue] = [
            "chunks": .array(chunks.map { ["seq": .integer($0.seq), "data": .string($0.data)] }),
            "truncated": .bool(isTruncated),
        ]
        if hasMore { members["more"] = true }
        return .object(members)
    }

    package init(wire: JSONValue) throws(RemoteError) {
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
