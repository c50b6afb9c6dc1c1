import Conversations
import Foundation
import Kernel
import Synchronization

/// Names a request of an agent: its id in one connection to one program, so that an answer never reaches another.
struct RequestKey: Hashable, Sendable {
    let connection: String
    let id: JSONValue
}

/// The states of the agents' threads, and the requests that wait for a person. The drivers write here as messages come, in their order.
final class ThreadBoard: Sendable {
    /// Requests that wait at once, in all.
    static let openLimit = 256
    /// Requests of one agent that wait at once, in all of its threads, so that one that floods by many threads leaves room for other agents.
    static let agentOpenLimit = 128
    /// Requests of one thread that wait at once, so that an agent that floods leaves room for the others.
    static let threadOpenLimit = 16
    /// Requests that are over and remembered.
    static let closedLimit = 256
    /// Threads whose state is remembered.
    static let threadLimit = 1000
    private static let itemLimit = 64
    /// The time between two lines of the log about refused requests.
    static let refusalPause = Duration.seconds(60)

    struct Open: Sendable {
        let approval: Approval
        let key: RequestKey
        fileprivate let request: AgentRequest

        /// The reply to a request that a person stopped.
        var stopping: RPCReply {
            let options = approval.options
            guard
                let option = options.first(where: { $0.kind == .cancel })
                    ?? options.first(where: { $0.kind == .decline }),
                let reply = try? request.reply(ApprovalAnswer(optionID: option.id))
            else { return .declined }
            return reply
        }
    }

    enum Claim: Sendable {
        case claimed(Open, Approval.Option, RPCReply)
        case already(option: String?, by: String?)
    }

    private struct Standing {
        var turnRuns = false
        var last = AgentState.idle
        var reason: String?
        var shown = AgentState.idle
        /// An end that is told once nothing of the thread waits for a person any more.
        var untold: (outcome: AgentState, summary: String?)?
        /// Lengths of messages that are being written, in UTF-16 units.
        var written: [String: Int] = [:]
    }

    private struct Answered {
        var option: String?
        var by: String?
    }

    private struct State {
        var standing: [ThreadReference: Standing] = [:]
        var order: [ThreadReference] = []
        var open: [Approval.ID: Open] = [:]
        var closed: [Approval.ID: Answered] = [:]
        var closedOrder: [Approval.ID] = []
        /// Requests that were refused since the log said so last.
        var refused = 0
        var toldOfRefused: ContinuousClock.Instant?
        var outbox: [AgentEvent] = []
        var isSending = false
    }

    private let state = Mutex(State())
    private let broadcaster = Broadcaster<AgentEvent>(capacity: 1024)
    private let time: any TimeSource

    init(time: any TimeSource) { self.time = time }

    func events() -> AsyncStream<AgentEvent> { broadcaster.subscribe() }

    func finish() { broadcaster.finish() }

    // MARK: Looking

    /// The oldest first.
    func approvals() -> [Approval] {
        state.withLock { $0.open.values.map(\.approval) }
            .sorted { ($0.milliseconds, $0.id) < ($1.milliseconds, $1.id) }
    }

    func states() -> [ThreadReference: AgentState] { state.withLock { $0.standing.mapValues(\.shown) } }

    /// Why the last turns of threads failed, where their agents say it.
    func reasons() -> [ThreadReference: String] {
        state.withLock { $0.standing.compactMapValues { $0.shown == .failed ? $0.reason : nil } }
    }

    func state(of thread: ThreadReference) -> AgentState { state.withLock { $0.standing[thread]?.shown ?? .idle } }

    // MARK: Turns

    func started(_ thread: ThreadReference, parent: ThreadReference? = nil) {
        change { state in
            Self.know(thread, &state)
            state.outbox.append(.started(thread, parent: parent))
        }
    }

    func turnBegan(_ thread: ThreadReference) {
        change { state in
            Self.know(thread, &state)
            state.standing[thread]?.turnRuns = true
            state.standing[thread]?.reason = nil
            state.standing[thread]?.untold = nil
            state.standing[thread]?.written = [:]
            Self.show(thread, &state)
        }
    }

    /// - Parameters:
    ///   - outcome: `done` and `failed` are told as an end, once nothing of the thread waits; `idle` is for a turn that a person stopped.
    ///   - summary: The agent's last words, or why it failed.
    ///   - keepsRequests: Requests of the thread go on waiting: what the agent began in the turn can outlive it, and the agent takes back
    ///     itself what it does not need any more.
    func turnEnded(
        _ thread: ThreadReference,
        _ outcome: AgentState,
        summary: String? = nil,
        keepsRequests: Bool = false
    ) {
        change { state in
            Self.know(thread, &state)
            state.standing[thread]?.turnRuns = false
            state.standing[thread]?.last = outcome
            state.standing[thread]?.reason = outcome == .failed ? summary : nil
            state.standing[thread]?.untold = outcome == .idle ? nil : (outcome, summary)
            state.standing[thread]?.written = [:]
            if !keepsRequests { Self.withdraw(&state) { $0.approval.thread == thread } }
            Self.show(thread, &state)
        }
    }

    func delta(_ thread: ThreadReference, itemID: String, _ text: String) {
        change { state in
            guard var standing = state.standing[thread] else { return }
            let offset = standing.written[itemID] ?? 0
            guard offset < ItemText.limit, standing.written[itemID] != nil || standing.written.count < Self.itemLimit
            else { return }
            let kept = AgentText.beginning(of: text, bytes: ItemText.limit - offset)
            guard !kept.isEmpty else { return }
            standing.written[itemID] = offset + kept.utf16.count
            state.standing[thread] = standing
            state.outbox.append(.delta(thread, itemID: itemID, offset: offset, text: kept))
        }
    }

    // MARK: Requests

    /// - Returns: False where too many wait already.
    func ask(_ request: AgentRequest, of thread: ThreadReference, key: RequestKey) -> Bool {
        let milliseconds = time.date.millisecondsSince1970
        return change { state in
            let ofAgent = state.open.values.filter { $0.approval.thread.agent == thread.agent }
            guard state.open.count < Self.openLimit, ofAgent.count < Self.agentOpenLimit,
                ofAgent.count(where: { $0.approval.thread == thread }) < Self.threadOpenLimit
            else { return false }
            Self.know(thread, &state)
            let approval = Approval(
                id: UUID.randomText(),
                thread: thread,
                milliseconds: milliseconds,
                subject: request.subject,
                reason: request.reason,
                options: request.options
            )
            state.open[approval.id] = Open(approval: approval, key: key, request: request)
            state.outbox.append(.opened(approval))
            Self.show(thread, &state)
            return true
        }
    }

    /// Counts a request that found no room.
    ///
    /// - Returns: How many there were since the last one that was told of; nil where that was a moment ago.
    func noteRefusal() -> Int? {
        let now = time.now
        return state.withLock { state in
            state.refused += 1
            if let told = state.toldOfRefused, now - told < Self.refusalPause { return nil }
            state.toldOfRefused = now
            defer { state.refused = 0 }
            return state.refused
        }
    }

    /// Whether a request of a connection waits for a person.
    func isAsked(by connection: String) -> Bool {
        state.withLock { $0.open.values.contains { $0.key.connection == connection } }
    }

    /// The agent took a request back, or had an answer from elsewhere.
    ///
    /// - Returns: Whether it waited.
    @discardableResult
    func withdraw(_ key: RequestKey) -> Bool {
        change { state in
            guard state.open.values.contains(where: { $0.key == key }) else { return false }
            Self.withdraw(&state) { $0.key == key }
            return true
        }
    }

    func withdrawAll(of connection: String) {
        change { state in Self.withdraw(&state) { $0.key.connection == connection } }
    }

    /// Takes the requests of a thread that wait, for a driver that has to answer them itself: no answer of a person comes any more.
    func takeAll(of thread: ThreadReference) -> [Open] {
        change { state in
            let taken = state.open.values.filter { $0.approval.thread == thread }
            Self.withdraw(&state) { $0.approval.thread == thread }
            return taken
        }
    }

    /// Takes a request for one answer: who comes later is told of this one.
    ///
    /// - Throws: `unknownApproval`, `optionNotOffered`, `answerMissing`; then it still waits.
    func claim(_ id: Approval.ID, _ answer: ApprovalAnswer, by device: String) throws(AgentError) -> Claim {
        let result: Result<Claim, AgentError> = change { state in
            guard let open = state.open[id] else {
                guard let closed = state.closed[id] else { return .failure(.unknownApproval) }
                return .success(.already(option: closed.option, by: closed.by))
            }
            guard let option = open.approval.options.first(where: { $0.id == answer.optionID }) else {
                return .failure(.optionNotOffered(AgentText.line(answer.optionID, limit: 100)))
            }
            do throws(AgentError) {
                let reply = try open.request.reply(answer)
                state.open[id] = nil
                Self.remember(id, Answered(option: option.id, by: device), &state)
                return .success(.claimed(open, option, reply))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Tells the outcome of a claimed request.
    ///
    /// - Parameter option: Nil where the answer did not reach the agent.
    func close(_ open: Open, option: String?, by device: String?) {
        change { state in
            let id = open.approval.id
            if option == nil { state.closed[id] = Answered() }
            state.outbox.append(.closed(id, open.approval.thread, option: option, by: device))
            Self.show(open.approval.thread, &state)
        }
    }

    // MARK: Inside

    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let value = state.withLock { body(&$0) }
        // Sent outside the lock and in order, whichever thread sends.
        let sends = state.withLock { state in
            guard !state.isSending, !state.outbox.isEmpty else { return false }
            state.isSending = true
            return true
        }
        guard sends else { return value }
        while let events = nextEvents() { for event in events { broadcaster.send(event) } }
        return value
    }

    private func nextEvents() -> [AgentEvent]? {
        state.withLock { state in
            guard !state.outbox.isEmpty else {
                state.isSending = false
                return nil
            }
            defer { state.outbox = [] }
            return state.outbox
        }
    }

    private static func know(_ thread: ThreadReference, _ state: inout State) {
        guard state.standing[thread] == nil else { return }
        if state.order.count >= threadLimit,
            let index = state.order.firstIndex(where: { candidate in
                state.standing[candidate]?.turnRuns != true
                    && !state.open.values.contains { $0.approval.thread == candidate }
            })
        {
            state.standing[state.order.remove(at: index)] = nil
        }
        state.standing[thread] = Standing()
        state.order.append(thread)
    }

    private static func show(_ thread: ThreadReference, _ state: inout State) {
        guard var standing = state.standing[thread] else { return }
        let waiting = state.open.values.filter { $0.approval.thread == thread }
        let isQuestion = waiting.map { if case .questions = $0.approval.subject { true } else { false } }
        let now: AgentState =
            if isQuestion.contains(false) {
                .waitingForApproval
            } else if !isQuestion.isEmpty {
                .waitingForInput
            } else {
                standing.turnRuns ? .running : standing.last
            }
        if now != standing.shown {
            standing.shown = now
            state.outbox.append(.state(thread, now, reason: now == .failed ? standing.reason : nil))
        }
        if waiting.isEmpty, let (outcome, summary) = standing.untold {
            standing.untold = nil
            state.outbox.append(.finished(thread, outcome, summary: summary))
        }
        state.standing[thread] = standing
    }

    private static func withdraw(_ state: inout State, where matches: (Open) -> Bool) {
        for open in state.open.values.filter(matches) {
            state.open[open.approval.id] = nil
            remember(open.approval.id, Answered(), &state)
            state.outbox.append(.closed(open.approval.id, open.approval.thread, option: nil, by: nil))
            show(open.approval.thread, &state)
        }
    }

    private static func remember(_ id: Approval.ID, _ answered: Answered, _ state: inout State) {
        state.closed[id] = answered
        state.closedOrder.append(id)
        if state.closedOrder.count > closedLimit { state.closed[state.closedOrder.removeFirst()] = nil }
    }
}
