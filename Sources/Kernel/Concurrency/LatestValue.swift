import Synchronization

/// A value that changes, and its readers: each gets the value as it is now and then the newest after each change.
/// A reader that falls behind skips what was replaced meanwhile, so this carries state, never events.
public final class LatestValue<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var nextReader: UInt64 = 0
    }

    private let state: Mutex<State>

    public init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    public var value: Value { state.withLock(\.value) }

    /// The value now, then every change. The stream ends when its reader is cancelled.
    public func values() -> AsyncStream<Value> {
        let (stream, reader) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            reader.yield(state.value)
            return state.nextReader
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
}
