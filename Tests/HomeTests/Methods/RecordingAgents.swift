import Commands
import Conversations
import Kernel
import Threads
import ThreadsHost

/// An agent that says yes to everything and asks for one command; what it is told, and each look at it, is noted.
actor RecordingAgents: AgentControl {
    private static let date: Int64 = 1_790_000_000_000
    private static let thread = ThreadReference(agent: .codex, id: "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")

    private let log: EffectLog
    private let told = Broadcaster<AgentEvent>()
    private var current = [thread: AgentState.waitingForApproval]
    private var waiting = [
        Approval(
            id: "a-1",
            thread: thread,
            milliseconds: date,
            subject: .command(Approval.Command(line: "make test", folder: "/home/ada/engine")),
            reason: "To see whether it runs.",
            options: [
                Approval.Option(id: "once", kind: .allowOnce), Approval.Option(id: "no", name: "No", kind: .decline),
            ]
        )
    ]
    private var answered: [Approval.ID: (option: String, by: String)] = [:]

    init(log: EffectLog) { self.log = log }

    func agents() -> [AgentAvailability] {
        log.note("look for agents")
        return [
            AgentAvailability(
                .codex,
                name: "Codex",
                isInstalled: true,
                version: "0.140.0",
                canPost: true,
                canStart: true
            ),
            AgentAvailability(
                .claudeCode,
                name: "Claude Code",
                isInstalled: false,
                canPost: false,
                canStart: false,
                reason: "It is not installed."
            ),
        ]
    }

    func reasons() -> [ThreadReference: String] { [:] }

    func postable() -> Set<Agent> { [.codex] }

    func start(_ agent: Agent, in folder: String, _ prompt: ThreadPrompt) throws -> ThreadReference {
        guard agent == .codex else {
            throw RemoteFailure(code: FailureCode.unsupported, message: "\(agent.rawValue) is not installed.")
        }
        log.note("start an agent")
        let thread = ThreadReference(agent: agent, id: "new-1")
        current[thread] = .running
        return thread
    }

    func post(_ prompt: ThreadPrompt, to thread: ThreadReference, in folder: String?) -> ThreadProgress {
        log.note("tell an agent")
        current[thread] = .running
        return ThreadProgress(.running, thread: thread, delivery: .started)
    }

    func cancel(_ thread: ThreadReference) -> ThreadProgress {
        log.note("stop an agent")
        current[thread] = .done
        return ThreadProgress(.done)
    }

    func approvals() -> [Approval] {
        log.note("look at what waits")
        return waiting
    }

    func answer(_ answer: ApprovalAnswer, to approval: Approval.ID, by device: String) throws -> ApprovalOutcome {
        log.note("answer an agent")
        if let answered = answered[approval] {
            return ApprovalOutcome(counted: false, option: answered.option, by: answered.by)
        }
        guard let index = waiting.firstIndex(where: { $0.id == approval }) else {
            throw RemoteFailure(code: FailureCode.notFound, message: "There is no such question of an agent.")
        }
        guard waiting[index].options.contains(where: { $0.id == answer.optionID }) else {
            throw RemoteFailure.badParameter("option", "one of those that are offered")
        }
        let thread = waiting.remove(at: index).thread
        answered[approval] = (answer.optionID, device)
        current[thread] = .running
        told.send(.closed(approval, thread, option: answer.optionID, by: device))
        return ApprovalOutcome(counted: true, option: answer.optionID, by: device)
    }

    func states() -> [ThreadReference: AgentState] { current }
    func events() -> AsyncStream<AgentEvent> { told.subscribe() }
    func run() async {}
    func close() async {}
}
