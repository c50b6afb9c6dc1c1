import Synchronization

/// Runs calls that block (on a disk, a resolver, a library) on a few threads of its own.
///
/// On Linux, Swift's tasks run on the threads of libdispatch's concurrent queues, as many as the machine has cores. A call that blocks a
/// task or a concurrent dispatch queue takes one of them away; when all are taken, no task of the program runs any more.
///
/// Devices take turns (``WorkOwner``): of each only a few calls run at a time, and only so many wait.
public final class BlockingWork: Sendable {
    /// How a thread stands to the rest of the program.
    public enum Urgency: Sendable {
        /// Somebody waits for each call.
        case usual
        /// Long calls that take processor time: they get what others leave.
        case bulk
    }

    private let crew: WorkCrew

    /// - Parameters:
    ///   - name: The threads' name, for tools that show it; the system cuts it to 15 bytes.
    ///   - width: Calls that run at a time, at least 1.
    ///   - deviceWidth: Calls of one device among these.
    ///   - deviceWaitingLimit: Calls of one device that wait; those of no device are not bounded.
    ///   - waitingLimit: Calls of all devices that wait.
    public init(
        _ name: String,
        width: Int,
        deviceWidth: Int = 2,
        deviceWaitingLimit: Int = 64,
        waitingLimit: Int = 1024,
        urgency: Urgency = .usual
    ) {
        crew = WorkCrew(
            name: name,
            bounds: WorkCrew.Bounds(
                width: max(1, width),
                deviceWidth: max(1, deviceWidth),
                deviceWaiting: deviceWaitingLimit,
                waiting: waitingLimit
            ),
            urgency: urgency
        )
    }

    deinit { crew.end() }

    /// Runs `work` for the device that the task works for. A task that is cancelled before its call begins throws at once and the call is
    /// dropped; one that has begun is waited for.
    ///
    /// - Throws: ``BlockingWorkError/tooMuchWaits``, `CancellationError`, and what `work` throws.
    public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let place = WaitingPlace<Value>()
        let device = WorkOwner.device
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard place.wait(continuation) else { return }
                let isTaken = crew.submit(for: device, isBounded: true) {
                    guard let waiter = place.take() else { return }
                    waiter.resume(with: Result { try work() })
                }
                if !isTaken { place.take()?.resume(throwing: BlockingWorkError.tooMuchWaits) }
            }
        } onCancel: {
            place.cancel()
        }
    }

    /// Runs `work` also when the task is cancelled and whatever else waits: for what has to be done once it is begun.
    ///
    /// - Throws: What `work` throws.
    public func finish<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            perform(for: WorkOwner.device) { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Begins a call, for which no task waits, whatever else waits.
    public func perform(for device: String? = nil, _ work: @escaping @Sendable () -> Void) {
        crew.submit(for: device, isBounded: false, work)
    }
}

/// A task that waits for its call. The call, or the cancellation, takes the continuation out of it, whichever comes first.
private final class WaitingPlace<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case cancelled
    }

    private let state = Mutex(State.empty)

    /// - Returns: False where the task was cancelled before, and has its answer.
    func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isWaiting = state.withLock { state in
            if case .cancelled = state { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(throwing: CancellationError()) }
        return isWaiting
    }

    /// Nil where the task does not wait any more.
    func take() -> CheckedContinuation<Value, any Error>? {
        state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = .empty
            return continuation
        }
    }

    func cancel() {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .waiting(let continuation):
                state = .cancelled
                return continuation
            // Not waiting yet, or its call runs: that one answers.
            case .empty, .cancelled:
                state = .cancelled
                return nil
            }
        }
        waiter?.resume(throwing: CancellationError())
    }
}
