import Synchronization

/// A question to a person, who answers through another request. Whoever asks the same meanwhile, since a link came anew, gets the same answer.
final class PersonsAnswer<Value: Sendable>: Sendable {
    private struct State {
        var waiters: [UInt64: CheckedContinuation<Value, any Error>] = [:]
        /// Those that were cancelled before they could wait.
        var cancelled: Set<UInt64> = []
        var next: UInt64 = 0
    }

    private let state = Mutex(State())

    /// - Parameter show: Called once an answer would be taken: a person, or a script, that sees the question may answer at once.
    /// - Throws: `CancellationError`.
    func ask(showing show: () -> Void = {}) async throws -> Value {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard state.cancelled.remove(id) == nil else { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                show()
            }
        } onCancel: {
            let waiter = state.withLock { state in
                if let waiter = state.waiters.removeValue(forKey: id) {
                    return waiter as CheckedContinuation<Value, any Error>?
                }
                state.cancelled.insert(id)
                return nil
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// - Returns: Whether somebody had asked.
    func give(_ value: Value) -> Bool {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume(returning: value) }
        return !waiters.isEmpty
    }
}
