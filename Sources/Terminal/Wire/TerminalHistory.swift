package import Commands
package import Kernel

/// A piece of a session's past. Source: `docs/protocol.md`, "Terminal".
package struct TerminalHistory: Hashable, Sendable {
    package struct Chunk: Hashable, Sendable {
        package var seq: Int64
        package var data: String

        package init(seq: Int64, data: String) {
            self.seq = seq
            self.data = data
        }
    }

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

    package var value: JSONValue {
        var members: [String: JSONValue] = [
            "chunks": .array(chunks.map { ["seq": .integer($0.seq), "data": .string($0.data)] }),
            "truncated": .bool(isTruncated),
        ]
        if hasMore { members["more"] = true }
        return .object(members)
    }

    /// - Throws: ``RemoteError/malformedResult``.
    package init(_ value: JSONValue) throws(RemoteError) {
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
