import Synchronization

/// The newest value for any number of readers: each gets it at once, then each later one, and may skip those that it
/// was too slow for.
final class LiveValue<Value: Sendable>: Sendable {
    private struct State {
        var current: Value
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var nextReader: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ current: Value) { state = Mutex(State(current: current)) }

    func subscribe() -> AsyncStream<Value> {
        let (stream, reader) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            // Inside the lock, so that an older value cannot come after a newer one.
            reader.yield(state.current)
            return state.nextReader
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    func publish(_ value: Value) {
        state.withLock { state in
            state.current = value
            for reader in state.readers.values { reader.yield(value) }
        }
    }
}
