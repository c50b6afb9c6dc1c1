import Synchronization

/// A body that is handed out once and whole. Whoever lets go of it earlier has broken it off.
package final class SingleUseBody: Sendable {
    private let size: Int64
    private let source: @Sendable () async throws -> [UInt8]?
    private let beforeEnd: @Sendable () async throws -> Void
    private let handedOut = Mutex<Int64>(0)

    /// - Parameter beforeEnd: Called once, before the last bytes are handed out; they are not where it throws.
    package init(_ blob: OpenBlob, beforeEnd: @escaping @Sendable () async throws -> Void) {
        size = blob.object.size
        source = blob.pieces(0..<blob.object.size)
        self.beforeEnd = beforeEnd
    }

    /// The next piece, for one reader; nil at the end.
    package func next() async throws -> [UInt8]? {
        guard let piece = try await source() else { return nil }
        let count = handedOut.withLock { handedOut in
            handedOut += Int64(piece.count)
            return handedOut
        }
        if count == size { try await beforeEnd() }
        return piece
    }
}
