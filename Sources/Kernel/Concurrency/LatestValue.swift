import Synchronization

/// A value that changes, and its readers: each gets the value as it is now and then the newest after each change.
/// A reader that falls behind skips the oldest of what was replaced meanwhile, so this carries state, never events.
public final class LatestValue<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var value: Value
        var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
        var nextReader: UInt64 = 0
        var isFinished = false
        /// Yields that are due, in order, until a caller of ``deliver()`` makes them.
        var undelivered: [Delivery] = []
        /// Whether a caller makes the yields now.
        var isDelivering = false
    }

    private struct Delivery {
        let readers: [AsyncStream<Value>.Continuation]
        /// Nil ends the streams.
        let value: Value?
    }

    private let state: Mutex<State>
    private let capacity: Int

    /// - Parameter capacity: Changes kept for a reader that is not reading; 1 keeps only the newest.
    public init(_ value: Value, capacity: Int = 1) {
        state = Mutex(State(value: value))
        self.capacity = max(1, capacity)
    }

    /// The value now.
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
        state.withLock { state in
            let old = state.value
            change(&state.value)
            guard state.value != old, !state.readers.isEmpty else { return }
            // Readers keep no more than this of what they did not read, so older ones would be dropped there.
            if state.undelivered.count >= capacity { state.undelivered.removeFirst() }
            state.undelivered.append(Delivery(readers: Array(state.readers.values), value: state.value))
        }
        deliver()
    }

    /// Replaces the value, and tells the readers if it is another one now.
    public func set(_ value: Value) { update { $0 = value } }

    /// There will be no other value: ends every reader's stream, and every later one after the value.
    public func finish() {
        state.withLock { state in
            state.isFinished = true
            state.undelivered.append(Delivery(readers: Array(state.readers.values), value: nil))
            state.readers = [:]
        }
        deliver()
    }

    /// Makes the yields outside the lock: a stream whose reader is cancelled holds its task's lock and waits for this one, and to
    /// yield to it waits for its task's. One caller makes them all, so that two changes stay in order for every reader.
    private func deliver() {
        var isFirst = true
        while true {
            let next = state.withLock { state -> [Delivery] in
                // The caller that makes yields already comes back for these.
                if isFirst, state.isDelivering { return [] }
                isFirst = false
                state.isDelivering = !state.undelivered.isEmpty
                defer { state.undelivered = [] }
                return state.undelivered
            }
            guard !next.isEmpty else { return }
            for delivery in next {
                for reader in delivery.readers {
                    if let value = delivery.value { reader.yield(value) } else { reader.finish() }
                }
            }
        }
    }
}
