import Synchronization

/// A value that others watch: each reader gets the present value, then every change. One that falls behind misses
/// what lies between, never the latest.
public final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
    }

    private let state: Mutex<State>
    private let capacity: Int

    /// - Parameter capacity: Changes kept for a reader that is not reading, at least 1.
    public init(_ value: Value, capacity: Int = 16) {
        state = Mutex(State(value: value))
        self.capacity = max(1, capacity)
    }

    public var value: Value { state.withLock(\.value) }

    public func set(_ value: Value) {
        // Yielding inside the lock keeps the changes in order; a termination handler never runs inside a yield.
        state.withLock { state in
            state.value = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }

    /// The present value and every change until ``finish()``, or until the reader is cancelled.
    public func subscribe() -> AsyncStream<Value> {
        let (stream, reader) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(capacity))
        let id: UInt64? = state.withLock { state in
            reader.yield(state.value)
            guard !state.isFinished else { return nil }
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            return state.nextReader
        }
        guard let id else {
            reader.finish()
            return stream
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Ends every reader's stream after the present value.
    public func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
