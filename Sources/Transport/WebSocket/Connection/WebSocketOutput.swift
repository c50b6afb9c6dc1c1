import Synchronization

/// Counts the bytes handed to a socket and not taken by the operating system yet, and the messages that it took.
final class WebSocketOutput: Sendable {
    private let waiting = Atomic(0)
    private let taken = Atomic<UInt64>(0)

    /// Bytes that wait.
    var waitingBytes: Int { waiting.load(ordering: .relaxed) }
    /// Messages that were taken since the beginning: while it stands still, nothing moves.
    var takenCount: UInt64 { taken.load(ordering: .relaxed) }

    /// - Returns: Bytes that wait now.
    func add(_ bytes: Int) -> Int { waiting.add(bytes, ordering: .relaxed).newValue }

    func remove(_ bytes: Int, messages: Int) {
        waiting.subtract(bytes, ordering: .relaxed)
        taken.add(UInt64(messages), ordering: .relaxed)
    }
}
