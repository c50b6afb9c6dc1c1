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

    /// Escape sequences that bring a screen to where the first of them begins; nil where it is there already.
    package var state: String?

    /// Bytes of ``state``.
    private static let stateLimit = 16 * 1024

    package init(chunks: [Chunk], isTruncated: Bool, hasMore: Bool, state: String? = nil) {
        self.state = state
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
        if let state { members["state"] = .string(state) }
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
        state = wire["state"]?.stringValue.flatMap { $0.utf8.count <= Self.stateLimit ? $0 : nil }
    }
}
