import DesktopNotifications
import Synchronization

/// Events on their way to one reader, bounded in number and bytes. What does not fit drops the oldest notification of the program that shows
/// the most; the reader is told how many.
final class EventBuffer: Sendable {
    private struct State {
        var events: [BusEvent] = []
        /// The events since ``EventBuffer/hold()``; nil while nothing is kept back.
        var held: [BusEvent]?
        var holds = 0
        /// The bytes of both.
        var bytes = 0
        var missed = 0
        /// Numbers of notifications that were dropped and not closed yet, the oldest first.
        var untold: [UInt32] = []
        var reader: CheckedContinuation<BusEvent?, Never>?
        var isFinished = false

        /// The next for the reader.
        mutating func take() -> BusEvent? {
            if missed > 0 {
                defer { missed = 0 }
                return .missed(missed)
            }
            guard !events.isEmpty else { return nil }
            let event = events.removeFirst()
            bytes -= event.byteCount
            return event
        }

        mutating func append(_ event: BusEvent) {
            switch event {
            case .shown(let id, _, _): untold.removeAll { $0 == id }
            case .closed(let id, _):
                if let place = untold.firstIndex(of: id) {
                    untold.remove(at: place)
                    return
                }
            case .available, .unavailable, .actionInvoked, .replied, .missed: break
            }
            bytes += event.byteCount
            if held == nil { events.append(event) } else { held?.append(event) }
        }

        mutating func drop() {
            let place = Self.leastMissed(in: events + (held ?? []))
            let event = remove(at: place)
            guard case .shown(let id, _, let replaced) = event else { return }
            missed += 1
            // The end of one that was never told is no news. Kept, the ends alone would fill the buffer, and what other programs show
            // would have no room.
            guard replaced == nil else { return }
            let later = (events + (held ?? [])).dropFirst(place)
            let next = later.firstIndex { event in
                switch event {
                case .shown(id, _, _), .closed(id, _): true
                default: false
                }
            }
            guard let next else {
                untold.removeAll { $0 == id }
                untold = (untold + [id]).suffix(EventBuffer.untoldLimit)
                return
            }
            if case .closed = later[next] { _ = remove(at: next) }
        }

        /// - Parameter place: Counted over ``events`` and then ``held``.
        private mutating func remove(at place: Int) -> BusEvent? {
            let event = place < events.count ? events.remove(at: place) : held?.remove(at: place - events.count)
            bytes -= event?.byteCount ?? 0
            return event
        }

        /// The oldest notification of the program that shows the most, so that one that floods the bus loses its own. Where none shows two,
        /// the end of one.
        private static func leastMissed(in events: [BusEvent]) -> Int {
            var programs: [String: (count: Int, first: Int)] = [:]
            for (place, event) in events.enumerated() {
                guard case .shown(_, let notification, _) = event else { continue }
                programs[notification.programName, default: (0, place)].count += 1
            }
            let loudest = programs.values.max { ($0.count, $1.first) < ($1.count, $0.first) }
            if let loudest, loudest.count > 1 { return loudest.first }
            return events.firstIndex(where: \.isClosed) ?? loudest?.first ?? 0
        }
    }

    /// Dropped ones that are remembered until they are closed.
    private static let untoldLimit = 1024

    private let countLimit: Int
    private let byteLimit: Int
    private let state = Mutex(State())

    init(countLimit: Int = 512, byteLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    func add(_ event: BusEvent) {
        change { $0.append(event) }
    }

    /// How often ``hold()`` was called.
    var holds: Int { state.withLock(\.holds) }

    /// Keeps back what comes from now on, until it is known what has to be told before it.
    func hold() {
        state.withLock { state in
            state.holds += 1
            if state.held == nil { state.held = [] }
        }
    }

    /// Tells `event`, and then what was kept back.
    ///
    /// - Parameter holds: What ``holds`` was when `event` was looked for. Nothing happens where another hold came since: `event` is
    ///   out of date then.
    /// - Returns: Whether it happened.
    @discardableResult
    func release(_ event: BusEvent?, holds: Int) -> Bool {
        var isCurrent = false
        change { state in
            isCurrent = holds == state.holds
            guard isCurrent else { return }
            if let event {
                state.events.append(event)
                state.bytes += event.byteCount
            }
            state.events += state.held ?? []
            state.held = nil
        }
        return isCurrent
    }

    /// The next event; nil once finished, or when the caller is cancelled.
    func next() async -> BusEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (event, isDue) = state.withLock { state -> (BusEvent?, Bool) in
                    if let event = state.take() { return (event, true) }
                    // A second reader ends: there is only one.
                    guard !state.isFinished, state.reader == nil else { return (nil, true) }
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
            state.missed = 0
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state -> (CheckedContinuation<BusEvent?, Never>, BusEvent)? in
            guard !state.isFinished else { return nil }
            body(&state)
            while state.events.count + (state.held?.count ?? 0) > countLimit || state.bytes > byteLimit { state.drop() }
            guard let reader = state.reader, let event = state.take() else { return nil }
            state.reader = nil
            return (reader, event)
        }
        woken?.0.resume(returning: woken?.1)
    }
}

extension BusEvent {
    fileprivate var isClosed: Bool { if case .closed = self { true } else { false } }

    /// The memory that it takes in bytes, about.
    fileprivate var byteCount: Int {
        switch self {
        case .shown(_, let notification, _): notification.byteCount
        case .replied(_, let text): 128 + text.utf8.count
        case .available, .unavailable, .closed, .actionInvoked, .missed: 512
        }
    }
}
