public import Commands
public import Conversations

/// The conversations with the coding agents of a computer.
///
/// Each call throws ``RemoteFailure`` when the computer refused, and ``RemoteError`` when no answer came or it could not be read.
public struct ThreadsClient: Sendable {
    /// How long an agent may take to begin: its program starts and asks its service.
    static let startTime: Duration = .seconds(90)

    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// A page of the list, the newest message first.
    public func list(_ query: ThreadListQuery = ThreadListQuery()) async throws -> ThreadList {
        try await peer.call(ThreadMethods.list, query)
    }

    /// The folders that agents work in, the newest first.
    public func folders(of agent: Agent? = nil) async throws -> [ThreadFolder] {
        try await peer.call(ThreadMethods.folders, ThreadFoldersQuery(agent: agent)).folders
    }

    /// The agents that are known there, installed or not.
    public func agents() async throws -> [AgentAvailability] { try await peer.call(ThreadMethods.agents).agents }

    /// A part of a conversation.
    public func page(_ query: ThreadPageQuery) async throws -> ThreadPage {
        try await peer.call(ThreadMethods.get, query)
    }

    /// One item with its whole text.
    public func item(_ query: ThreadItemQuery) async throws -> ThreadItem {
        try await peer.call(ThreadMethods.item, query)
    }

    /// Full text of what people and agents said.
    public func search(_ query: ThreadSearchQuery) async throws -> ThreadHits {
        try await peer.call(ThreadMethods.search, query)
    }

    /// The approvals that agents wait for, the oldest first.
    public func approvals() async throws -> [Approval] {
        var items: [Approval] = []
        var query = ApprovalsQuery()
        for _ in 0..<Self.approvalPages {
            let page = try await peer.call(ThreadMethods.approvals, query)
            items += page.items
            guard let next = page.next, next != query.cursor else { break }
            query.cursor = next
        }
        return items
    }

    /// Pages of approvals that are read at most: a computer keeps 256, and a page has one at least.
    private static let approvalPages = 256

    /// Gives a thread the next prompt.
    ///
    /// - Throws: Also ``RemoteFailure`` with ``FailureCode/unsupported`` where the agent is not installed.
    public func post(_ prompt: ThreadPrompt, to thread: ThreadChoice) async throws -> ThreadProgress {
        try await peer.call(ThreadMethods.post, ThreadPost(prompt, to: thread), timeout: Self.startTime)
    }

    /// Begins a thread. Throws as ``post(_:to:)``.
    public func start(_ start: ThreadStart) async throws -> ThreadSummary {
        try await peer.call(ThreadMethods.start, start, timeout: Self.startTime).thread
    }

    /// Ends the turn that runs. Prompts that waited for its end are named in the answer, and not delivered.
    public func cancel(_ thread: ThreadChoice) async throws -> ThreadProgress {
        try await peer.call(ThreadMethods.cancel, thread)
    }

    /// Answers an approval that an agent waits for; the first answer counts, of all devices.
    public func answer(_ answer: ApprovalAnswer, to approval: Approval.ID) async throws -> ApprovalOutcome {
        try await peer.call(ThreadMethods.approve, ApprovalChoice(answer, to: approval))
    }
}
