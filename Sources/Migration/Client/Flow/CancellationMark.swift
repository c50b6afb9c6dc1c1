import Synchronization

/// Whether a person ended what a thread that may block is at: it looks between two pieces.
final class CancellationMark: Sendable {
    private let isSet = Mutex(false)

    func set() { isSet.withLock { $0 = true } }

    /// - Throws: `CancellationError`.
    func check() throws { if isSet.withLock(\.self) { throw CancellationError() } }
}
