import DesktopNotifications
import Synchronization

/// Events on their way to one reader, bounded in number and bytes. What does not fit drops the oldest notification that was shown;
/// the reader is told how many.
final class EventBuffer: Sendable {
    private struct State {
        var events: [BusEvent] = []
        /// What came since ``hold()``.
        var held: [BusEvent]?
        var bytes = 0
        var missed = 0
        var reader: CheckedContinuation<BusEvent?, Never>?
        var isFinished = false
    }

    private let countLimit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    init(countLimit: Int = 512, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    func add(_ event: BusEvent) {
        let reader = state.withLock { state -> CheckedContinuation<BusEvent?, Never>? in
            guard !state.isFinished else { return nil }
            if state.held == nil, let reader = state.reader {
                state.reader = nil
                return reader
            }
            state.bytes += event.byteCount
            if state.held == nil { state.events.append(event) } else { state.held?.append(event) }
            while state.events.count + (state.held?.count ?? 0) > countLimit || state.bytes > byteLimit { drop(&state) }
            return nil
        }
        reader?.resume(returning: event)
    }

    /// Keeps back what comes from now on, until it is known what has to be told before it.
    func hold() {
        state.withLock { state in
            if state.held == nil { state.held = [] }
        }
    }

    /// Lets go of what was kept back.
    ///
    /// - Parameter event: Told before it.
    func release(_ event: BusEvent?) {
        let held = state.withLock { state in
            defer { state.held = nil }
            let held = state.held ?? []
            state.bytes -= held.reduce(0) { $0 + $1.byteCount }
            return held
        }
        if let event { add(event) }
        for event in held { add(event) }
    }

    /// The next event; nil once finished, or when the caller is cancelled.
    func next() async -> BusEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, isDue) = state.withLock { state -> (BusEvent?, Bool) in
                    if state.missed > 0 {
                        defer { state.missed = 0 }
                        return (.missed(state.missed), true)
                    }
                    if !state.events.isEmpty {
                        let event = state.events.removeFirst()
                        state.bytes -= event.byteCount
                        return (event, true)
                    }
                    // A second reader ends: there is only one.
                    guard !state.isFinished, !Task.isCancelled, state.reader == nil else { return (nil, true) }
                    state.reader = continuation
                    return (nil, false)
                }
                if isDue { continuation.resume(returning: event) }
            }
        } onCancel: {
            finish()
        }
    }

    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            state.events = []
            state.held = nil
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func drop(_ state: inout State) {
        let event: BusEvent
        if let place = state.events.firstIndex(where: \.isShown) {
            event = state.events.remove(at: place)
        } else if let place = state.held?.firstIndex(where: \.isShown), let found = state.held?.remove(at: place) {
            event = found
        } else {
            event = state.events.isEmpty ? state.held?.removeFirst() ?? .missed(0) : state.events.removeFirst()
        }
        state.bytes -= event.byteCount
        if event.isShown { state.missed += 1 }
    }
}

extension BusEvent {
    fileprivate var isShown: Bool { if case .shown = self { true } else { false } }

    /// What it takes in memory, about.
    fileprivate var byteCount: Int {
        switch self {
        case .shown(_, let notification, _): notification.byteCount
        case .replied(_, let text, _): 128 + text.utf8.count
        case .available, .unavailable, .closed, .actionInvoked, .missed: 512
        }
    }
}
