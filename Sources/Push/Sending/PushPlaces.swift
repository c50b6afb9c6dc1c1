import Synchronization

/// Bounds the number of messages under way, in all and to one push service. Others wait in the order in which they came; a service that is
/// slow holds up only its own.
final class PushPlaces: Sendable {
    private struct Waiter {
        let id: UInt64
        let origin: PushOrigin
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running: [PushOrigin: Int] = [:]
        var total = 0
        var waiting: [Waiter] = []
        var nextID: UInt64 = 0
    }

    private let limits: WebPushConfiguration.Limits
    private let state = Mutex(State())

    init(_ limits: WebPushConfiguration.Limits) { self.limits = limits }

    /// Waits for a place. A caller that has one gives it back with ``leave(_:)``.
    ///
    /// - Throws: ``PushError/tooManyWaiting`` at once; ``PushError/cancelled``.
    func enter(_ origin: PushOrigin) async throws(PushError) {
        let (id, isFull) = state.withLock { state in
            state.nextID += 1
            return (state.nextID, !fits(origin, state) && state.waiting.count >= limits.waiting)
        }
        if isFull { throw .tooManyWaiting }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn: Bool? = state.withLock { state in
                    // A cancellation from here on finds the waiter.
                    if Task.isCancelled { return false }
                    if fits(origin, state) {
                        take(origin, &state)
                        return true
                    }
                    state.waiting.append(Waiter(id: id, origin: origin, continuation: continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            let waiter: Waiter? = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
        guard isIn else { throw .cancelled }
    }

    func leave(_ origin: PushOrigin) {
        let next: Waiter? = state.withLock { state in
            state.total -= 1
            let left = (state.running[origin] ?? 1) - 1
            state.running[origin] = left > 0 ? left : nil
            guard let index = state.waiting.firstIndex(where: { fits($0.origin, state) }) else { return nil }
            let next = state.waiting.remove(at: index)
            take(next.origin, &state)
            return next
        }
        next?.continuation.resume(returning: true)
    }

    private func fits(_ origin: PushOrigin, _ state: State) -> Bool {
        state.total < limits.total && state.running[origin, default: 0] < limits.perOrigin
    }

    private func take(_ origin: PushOrigin, _ state: inout State) {
        state.total += 1
        state.running[origin, default: 0] += 1
    }
}
