import Dispatch
import Synchronization

/// The threads of a ``BlockingWork`` and what waits for them. Threads are made as calls come, and end when none came for a while.
final class WorkCrew: Sendable {
    typealias Call = @Sendable () -> Void

    struct Bounds {
        var width: Int
        var deviceWidth: Int
        var deviceWaiting: Int
        var waiting: Int
    }

    private struct State {
        var waiting: [String?: [Call]] = [:]
        /// Devices whose calls wait, in the order of their turns.
        var turns: [String?] = []
        var running: [String?: Int] = [:]
        /// Waiting calls of devices.
        var boundedCount = 0
        var threads = 0
        /// Threads that wait for ``wake`` and were not woken.
        var idle = 0
        var isEnded = false
    }

    private enum Step {
        case call(Call, of: String?)
        case wait
        case end
    }

    private static let idleTime = DispatchTimeInterval.seconds(10)

    private let name: String
    private let bounds: Bounds
    private let urgency: BlockingWork.Urgency
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init(name: String, bounds: Bounds, urgency: BlockingWork.Urgency) {
        self.name = name
        self.bounds = bounds
        self.urgency = urgency
    }

    /// - Parameter isBounded: Whether the call may be refused.
    /// - Returns: False where it was.
    @discardableResult
    func submit(for device: String?, isBounded: Bool, _ call: @escaping Call) -> Bool {
        enum Outcome {
            case refused
            case waits
            case wakes
            case needsThread
        }
        let outcome = state.withLock { state -> Outcome in
            let isCounted = isBounded && device != nil
            if isCounted {
                guard state.boundedCount < bounds.waiting,
                    (state.waiting[device]?.count ?? 0) < bounds.deviceWaiting
                else { return .refused }
            }
            if device != nil { state.boundedCount += 1 }
            if state.waiting[device] == nil { state.turns.append(device) }
            state.waiting[device, default: []].append(call)
            // The device's next call is taken by the thread that ends one of its calls.
            guard mayBegin(device, state) else { return .waits }
            if state.idle > 0 {
                state.idle -= 1
                return .wakes
            }
            guard state.threads < bounds.width else { return .waits }
            state.threads += 1
            return .needsThread
        }
        switch outcome {
        case .refused: return false
        case .waits: break
        case .wakes: wake.signal()
        case .needsThread:
            let isMade = WorkThread.start(name, urgency: urgency) { [self] in work() }
            // A machine that gives no thread at all: the caller's own does the work, rather than nobody.
            if !isMade { workHere() }
        }
        return true
    }

    /// Threads end when nothing waits any more.
    func end() {
        let idle = state.withLock { state in
            state.isEnded = true
            defer { state.idle = 0 }
            return state.idle
        }
        for _ in 0..<idle { wake.signal() }
    }

    private func work() {
        var done: (device: String?, isCall: Bool) = (nil, false)
        while true {
            switch state.withLock({ next(&$0, after: done) }) {
            case .call(let call, let device):
                call()
                done = (device, true)
            case .wait:
                done = (nil, false)
                if wake.wait(timeout: .now() + Self.idleTime) == .timedOut, isIdleNoMore() { return }
            case .end: return
            }
        }
    }

    /// - Returns: False where a waker meant this thread in the moment in which it gave up waiting; its signal is taken.
    private func isIdleNoMore() -> Bool {
        let leaves = state.withLock { state in
            guard state.idle > 0 else { return false }
            state.idle -= 1
            state.threads -= 1
            return true
        }
        if !leaves { wake.wait() }
        return leaves
    }

    private func next(_ state: inout State, after done: (device: String?, isCall: Bool)) -> Step {
        if done.isCall {
            let rest = (state.running[done.device] ?? 1) - 1
            state.running[done.device] = rest > 0 ? rest : nil
        }
        if let (device, call) = take(&state) { return .call(call, of: device) }
        if state.isEnded {
            state.threads -= 1
            return .end
        }
        state.idle += 1
        return .wait
    }

    private func take(_ state: inout State) -> (device: String?, call: Call)? {
        guard let turn = state.turns.firstIndex(where: { mayBegin($0, state) }) else { return nil }
        let device = state.turns.remove(at: turn)
        guard let call = state.waiting[device]?.removeFirst() else { return nil }
        if state.waiting[device]?.isEmpty == true {
            state.waiting[device] = nil
        } else {
            state.turns.append(device)
        }
        if device != nil { state.boundedCount -= 1 }
        state.running[device, default: 0] += 1
        return (device, call)
    }

    private func mayBegin(_ device: String?, _ state: borrowing State) -> Bool {
        device == nil || (state.running[device] ?? 0) < bounds.deviceWidth
    }

    /// Does the work without a thread of its own, and only where no other thread is left to do it.
    private func workHere() {
        var done: (device: String?, isCall: Bool) = (nil, false)
        while true {
            let step = state.withLock { state -> Step in
                if done.isCall {
                    let rest = (state.running[done.device] ?? 1) - 1
                    state.running[done.device] = rest > 0 ? rest : nil
                }
                // Another thread goes on with what waits.
                guard state.threads == 1, let (device, call) = take(&state) else {
                    state.threads -= 1
                    return .end
                }
                return .call(call, of: device)
            }
            guard case .call(let call, let device) = step else { return }
            call()
            done = (device, true)
        }
    }
}
