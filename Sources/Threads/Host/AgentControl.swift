package import Conversations

/// The coding agents that can be told what to do on this computer.
package protocol AgentControl: Sendable {
    func agents() async -> [AgentAvailability]
    /// The agents whose threads can be answered, as far as that is known already. Returns at once.
    func postable() async -> Set<Agent>
    /// Returns once the agent has named the thread.
    func start(_ agent: Agent, in folder: String, _ prompt: ThreadPrompt) async throws -> ThreadReference
    /// - Parameter folder: Where the thread works, as its history says.
    /// - Returns: The agent's state now, and its thread.
    func post(_ prompt: ThreadPrompt, to thread: ThreadReference, in folder: String?) async throws -> ThreadProgress
    /// - Returns: The agent's state now, and the person's prompts that reach it no more.
    func cancel(_ thread: ThreadReference) async throws -> ThreadProgress
    /// The oldest first.
    func approvals() async -> [Approval]
    /// - Parameter device: The name of who answers, which others are told.
    func answer(_ answer: ApprovalAnswer, to approval: Approval.ID, by device: String) async throws -> ApprovalOutcome
    /// The states of the threads that run here, or ran lately.
    func states() async -> [ThreadReference: AgentState]
    /// Why threads are `failed`, where it is known. Written by agents.
    func reasons() async -> [ThreadReference: String]
    /// The events from now on. A slow reader misses the oldest.
    func events() async -> AsyncStream<AgentEvent>
    /// Ends processes that have nothing to do, until its task is cancelled.
    func run() async
    /// Ends all processes.
    func close() async
}
