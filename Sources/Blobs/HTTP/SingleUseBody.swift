import Synchronization

/// A body that is told of once: whether all of it was sent, or how far it came. For what is read once.
package final class SingleUseBody: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// Every byte was handed to the network, and it had room for more.
        case sent
        /// The reader was gone, or the file could not be read, after so many bytes were handed out.
        case broken(after: Int64)
    }

    private struct State {
        var handedOut: Int64 = 0
        var isTold = false
    }

    private let source: @Sendable () async throws -> [UInt8]?
    private let completion: @Sendable (Outcome) -> Void
    private let state = Mutex(State())

    /// - Parameter completion: Called once, also where the body is never asked for. It must not wait.
    package init(_ blob: OpenBlob, completion: @escaping @Sendable (Outcome) -> Void) {
        source = blob.pieces(0..<blob.object.size)
        self.completion = completion
    }

    /// A server that has lost its client lets go of the body.
    deinit { tell(.broken(after: state.withLock(\.handedOut))) }

    /// The next piece; nil at the end.
    package func next() async throws -> [UInt8]? {
        do {
            guard let piece = try await source() else {
                tell(.sent)
                return nil
            }
            state.withLock { $0.handedOut += Int64(piece.count) }
            return piece
        } catch {
            tell(.broken(after: state.withLock(\.handedOut)))
            throw error
        }
    }

    private func tell(_ outcome: Outcome) {
        let isFirst = state.withLock { state in
            defer { state.isTold = true }
            return !state.isTold
        }
        if isFirst { completion(outcome) }
    }
}
