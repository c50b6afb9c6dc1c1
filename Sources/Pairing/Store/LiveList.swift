import Synchronization

/// The newest value for any number of readers: each gets it at once, then each later one, and may skip those that it
/// was too slow for.
final class LiveList<Element: Sendable>: Sendable {
    private struct State {
        var current: [Element]
        var readers: [UInt64: AsyncStream<[Element]>.Continuation] = [:]
        var nextReader: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ current: [Element]) { state = Mutex(State(current: current)) }

    func subscribe() -> AsyncStream<[Element]> {
        let (stream, reader) = AsyncStream.makeStream(of: [Element].self, bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.nextReader += 1
            state.readers[state.nextReader] = reader
            // Inside the lock, so that an older list cannot come after a newer one.
            reader.yield(state.current)
            return state.nextReader
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    func publish(_ list: [Element]) {
        state.withLock { state in
            state.current = list
            for reader in state.readers.values { reader.yield(list) }
        }
    }
}
