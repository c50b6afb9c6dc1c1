import Synchronization

/// Wakes one task that waits for something to do. A signal without a waiter is kept, and several count once.
final class WakeSignal: Sendable {
    private struct State {
        var isSet = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func set() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            state.isSet = state.waiter == nil
            return state.waiter
        }
        waiter?.resume()
    }

    /// Returns at the next signal, at once if there was one, and when the task is cancelled. For one task at a time.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.isSet, !Task.isCancelled else {
                        state.isSet = false
                        return true
                    }
                    state.waiter = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            set()
        }
    }
}
