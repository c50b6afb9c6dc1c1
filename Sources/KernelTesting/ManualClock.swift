public import Foundation
public import Kernel
import Synchronization

/// A time source that stands still until a test moves it: ``now`` and ``date`` together.
public final class ManualClock: TimeSource {
    private struct Sleeper {
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: ContinuousClock.Instant
        var slept = Duration.zero
        var sleepers: [UInt64: Sleeper] = [:]
        var cancelled: Set<UInt64> = []
        var nextSleeper: UInt64 = 0
        var watchers: [UInt64: (count: Int, continuation: CheckedContinuation<Void, Never>)] = [:]
        var deadlineWatchers:
            [UInt64: (deadline: ContinuousClock.Instant, continuation: CheckedContinuation<Void, Never>)] =
                [:]
    }

    private let start: ContinuousClock.Instant
    private let startDate: Date
    private let state: Mutex<State>

    public init(date: Date = Date(timeIntervalSince1970: 1_790_000_000)) {
        start = ContinuousClock().now
        startDate = date
        state = Mutex(State(now: start))
    }

    /// The time to which the test has moved it; at first when it was made.
    public var now: ContinuousClock.Instant { state.withLock(\.now) }
    /// What the machine slept, in sum, as a test set it.
    public var slept: Duration { state.withLock(\.slept) }

    /// The date that belongs to ``now``.
    public var date: Date {
        let elapsed = (now - start).components
        return startDate.addingTimeInterval(Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18)
    }

    /// Waits until a test moves the time to `deadline` or behind it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled meanwhile.
    public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (result, woken): (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) = state.withLock {
                    state in
                    if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                    if deadline <= state.now { return (.success(()), []) }
                    state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
                    let ready = state.watchers.filter { $0.value.count <= state.sleepers.count }
                    for id in ready.keys { state.watchers[id] = nil }
                    let awaited = state.deadlineWatchers.filter { $0.value.deadline == deadline }
                    for id in awaited.keys { state.deadlineWatchers[id] = nil }
                    return (nil, ready.values.map(\.continuation) + awaited.values.map(\.continuation))
                }
                for watcher in woken { watcher.resume() }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until at least `count` tasks sleep on this clock: then moving it means something to them. Returns at once when
    /// its own task is cancelled.
    public func sleepers(_ count: Int = 1) async {
        let id = state.withLock { state in
            state.nextSleeper += 1
            return state.nextSleeper
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.cancelled.remove(id) != nil || state.sleepers.count >= count { return true }
                    state.watchers[id] = (count, continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state in
                let watcher = state.watchers.removeValue(forKey: id)
                if watcher == nil { state.cancelled.insert(id) }
                return watcher
            }
            watcher?.continuation.resume()
        }
    }

    /// Waits until a task sleeps for exactly `duration` from now: other sleepers, about to end, do not count. Returns at once when its
    /// own task is cancelled.
    public func sleeper(for duration: Duration) async {
        let (id, deadline) = state.withLock { state in
            state.nextSleeper += 1
            return (state.nextSleeper, state.now + duration)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    if state.sleepers.values.contains(where: { $0.deadline == deadline }) { return true }
                    state.deadlineWatchers[id] = (deadline, continuation)
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state in
                let watcher = state.deadlineWatchers.removeValue(forKey: id)
                if watcher == nil { state.cancelled.insert(id) }
                return watcher
            }
            watcher?.continuation.resume()
        }
    }

    /// Moves time on and wakes each task whose sleep is over, earliest first.
    public func advance(by duration: Duration) {
        move(to: now.advanced(by: duration))
    }

    /// The machine slept: ``slept`` grows, and ``now`` is for the test to move.
    public func machineSlept(_ duration: Duration) { state.withLock { $0.slept += duration } }

    /// Moves time to `instant`; never backwards.
    public func move(to instant: ContinuousClock.Instant) {
        let due = state.withLock { state in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}
