import Synchronization

/// One question at a time to a person, who answers through another request.
final class PersonsAnswer<Value: Sendable>: Sendable {
    private struct State {
        var waiter: CheckedContinuation<Value, any Error>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// - Throws: `CancellationError`.
    func ask() async throws -> Value {
        state.withLock { $0.isCancelled = false }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isRefused = state.withLock { state in
                    guard !state.isCancelled, state.waiter == nil else { return true }
                    state.waiter = continuation
                    return false
                }
                if isRefused { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// - Returns: Whether somebody had asked.
    func give(_ value: Value) -> Bool {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: value)
        return waiter != nil
    }
}
