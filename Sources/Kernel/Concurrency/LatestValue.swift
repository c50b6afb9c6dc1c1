import Synchronization

/// A value that changes, and its readers: each gets the value as it is now and then the newest after each change.
/// A reader that falls behind skips the oldest of what was replaced meanwhile, so this carries state, never events.
public final class LatestValue<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
    }

    private let state: Mutex<State>
    private let capacity: Int

    /// - Parameter capacity: Changes kept for a reader that is not reading; 1 keeps only the newest.
    public init(_ value: Value, capacity: Int = 1) {
        state = Mutex(State(value: value))
        self.capacity = max(1, capacity)
    }

    public var value: Value { state.withLock(\.value) }

    /// The value now, then every change. The stream ends when its reader is cancelled, or at ``finish()``.
    public func values() -> AsyncStream<Value> {
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
            // Handed out of the lock, so that what its release sets off does not run under it.
            _ = self?.state.withLock { $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    /// Changes the value, and tells the readers if it is another one now.
    public func update(_ change: (inout Value) -> Void) {
        // Yielding under the lock keeps two changes in order for everyone; it only buffers, readers run elsewhere.
        state.withLock { state in
            let old = state.value
            change(&state.value)
            guard state.value != old else { return }
            for reader in state.readers.values { reader.yield(state.value) }
        }
    }

    public func set(_ value: Value) { update { $0 = value } }

    /// There will be no other value: ends every reader's stream, and every later one after the value.
    public func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
