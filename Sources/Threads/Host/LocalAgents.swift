import Agents
import Conversations
import Foundation
import Kernel
import Synchronization
import Threads

/// The coding agents that are installed on this computer.
final class LocalAgents: AgentControl {
    /// How long it is believed which agents are installed.
    private static let lifetime: Duration = .seconds(60)

    private struct Known {
        var agents: [AgentAvailability]
        var until: ContinuousClock.Instant
    }

    private let sessions: AgentSessions
    private let environment: [String: String]
    private let time: any TimeSource
    private let known = Mutex<Known?>(nil)
    private let errands = OwnedTasks()

    /// - Parameter environment: Says what `~` means.
    init(_ sessions: AgentSessions, environment: [String: String], time: any TimeSource) {
        self.sessions = sessions
        self.environment = environment
        self.time = time
    }

    func agents() async -> [AgentAvailability] {
        let agents = await sessions.availability()
        known.withLock { $0 = Known(agents: agents, until: time.now + Self.lifetime) }
        return agents
    }

    /// Returns at once: which programs there are takes seconds to find out the first time.
    func postable() async -> Set<Agent> {
        let now = time.now
        let (agents, isOld) = known.withLock { known in
            let isOld = (known?.until ?? now) <= now
            // Asked for once, however many ask meanwhile.
            if isOld { known = Known(agents: known?.agents ?? [], until: now + Self.lifetime) }
            return (known?.agents ?? [], isOld)
        }
        if isOld { errands.add { _ = await self.agents() } }
        return Set(agents.filter(\.canPost).map(\.agent))
    }

    func start(_ agent: Agent, in folder: String, _ prompt: ThreadPrompt) async throws -> ThreadReference {
        let folder = HomeFolder.expanding(folder, environment: environment)
        return try await sessions.start(agent, in: folder, expanded(prompt))
    }

    func post(
        _ prompt: ThreadPrompt,
        to thread: ThreadReference,
        in folder: String?
    ) async throws -> ThreadProgress {
        try await sessions.post(expanded(prompt), to: thread, in: folder)
    }

    /// The prompt with the paths of its attachments in full.
    private func expanded(_ prompt: ThreadPrompt) -> ThreadPrompt {
        var prompt = prompt
        prompt.attachments = prompt.attachments.map { attachment -> ThreadAttachment in
            guard case .path(let path) = attachment else { return attachment }
            return .path(HomeFolder.expanding(path, environment: environment))
        }
        return prompt
    }

    func cancel(_ thread: ThreadReference) async throws -> ThreadProgress {
        try await sessions.cancel(thread)
    }

    func approvals() async -> [Approval] { sessions.approvals() }

    func answer(
        _ answer: ApprovalAnswer,
        to approval: Approval.ID,
        by device: String
    ) async throws -> ApprovalOutcome {
        try await sessions.answer(approval, answer, by: device)
    }

    func states() async -> [ThreadReference: AgentState] { sessions.states() }

    func reasons() async -> [ThreadReference: String] { sessions.reasons() }

    func events() async -> AsyncStream<AgentEvent> { sessions.events() }

    func run() async {
        _ = await agents()
        await sessions.run()
    }

    func close() async {
        await errands.end()
        await sessions.close()
    }
}
