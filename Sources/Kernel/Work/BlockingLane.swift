import Synchronization

/// Calls that block, one at a time and in order, on the threads of a ``BlockingWork``. What was handed to it is done, also for tasks that
/// are cancelled.
public final class BlockingLane: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isBusy = false
    }

    private let work: BlockingWork
    private let device: String?
    private let state = Mutex(State())

    /// - Parameter device: Whose turns its calls take; nil for nobody's.
    public init(on work: BlockingWork, for device: String? = nil) {
        self.work = work
        self.device = device
    }

    /// Runs `work` behind what was handed to the lane before.
    ///
    /// - Throws: What `work` throws.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            perform { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Begins a call, for which no task waits.
    public func perform(_ call: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            state.waiting.append(call)
            defer { state.isBusy = true }
            return !state.isBusy
        }
        if begins { takeTurn() }
    }

    /// One call a turn, so that a lane that is always full leaves the thread to others.
    private func takeTurn() {
        work.perform(for: device) { [self] in
            state.withLock { $0.waiting.removeFirst() }()
            let goesOn = state.withLock { state in
                state.isBusy = !state.waiting.isEmpty
                return state.isBusy
            }
            if goesOn { takeTurn() }
        }
    }
}
