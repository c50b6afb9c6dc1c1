public import Commands
public import Conversations
import Rights

/// Source: `docs/protocol.md`, "Threads".
public enum ThreadMethods {
    /// The threads of this computer, the newest message first.
    public static let list = Method<ThreadListQuery, ThreadList>(
        "threads.list",
        needs: Permission(.threadsRead),
        risk: .mutating,
        summary: "Lists the conversations with coding agents."
    )
    /// The folders that agents work in.
    public static let folders = Method<ThreadFoldersQuery, ThreadFolders>(
        "threads.folders",
        needs: Permission(.threadsRead),
        risk: .mutating,
        summary: "Lists the folders that coding agents work in."
    )
    /// The agents that are there, and what can be asked of them.
    public static let agents = Method<NoParameters, AgentList>(
        "threads.agents",
        needs: Permission(.threadsRead),
        risk: .safe,
        summary: "Lists the coding agents of this computer."
    )
    /// A part of a conversation.
    public static let get = Method<ThreadPageQuery, ThreadPage>(
        "threads.get",
        needs: Permission(.threadsRead),
        risk: .mutating,
        summary: "Reads a part of a conversation."
    )
    /// One item with its whole text, or an image.
    public static let item = Method<ThreadItemQuery, ThreadItem>(
        "threads.item",
        needs: Permission(.threadsRead),
        risk: .mutating,
        summary: "Reads one item of a conversation whole."
    )
    /// Makes the computer send the events of a thread, or of the list, to this device for 90 s; asking again goes on.
    public static let subscribe = Method<ThreadSubscription, ThreadPage>(
        "threads.subscribe",
        needs: Permission(.threadsRead),
        risk: .mutating,
        summary: "Tells from now on what happens in a conversation, or in the list."
    )
    /// Ends `threads.subscribe`.
    public static let unsubscribe = Method<ThreadSubscription, Done>(
        "threads.unsubscribe",
        needs: Permission(.threadsRead),
        risk: .safe,
        summary: "Stops telling what happens in a conversation, or in the list."
    )
    /// Full text of what people and agents said.
    public static let search = Method<ThreadSearchQuery, ThreadHits>(
        "threads.search",
        needs: Permission(.threadsRead),
        risk: .mutating,
        summary: "Searches all conversations."
    )
    /// The approvals that wait for a person.
    public static let approvals = Method<ApprovalsQuery, ApprovalList>(
        "threads.approvals",
        needs: Permission(.threadsRead),
        risk: .mutating,
        summary: "Lists what agents wait for a person to allow."
    )
    /// Gives a thread the next prompt.
    public static let post = Method<ThreadPost, ThreadProgress>(
        "threads.post",
        needs: Permission(.threadsWrite),
        risk: .privileged,
        summary: "Answers in a conversation."
    )
    /// Begins a thread.
    public static let start = Method<ThreadStart, StartedThread>(
        "threads.start",
        needs: Permission(.threadsWrite),
        risk: .privileged,
        summary: "Begins a conversation with a coding agent."
    )
    /// Ends the turn that runs.
    public static let cancel = Method<ThreadChoice, ThreadProgress>(
        "threads.cancel",
        needs: Permission(.threadsWrite),
        risk: .mutating,
        summary: "Stops what a coding agent is doing."
    )
    /// The first answer counts.
    public static let approve = Method<ApprovalChoice, ApprovalOutcome>(
        "threads.approve",
        needs: Permission(.threadsWrite),
        risk: .privileged,
        summary: "Allows or declines what an agent asks for."
    )

    /// The feature's methods, for catalogues and registries.
    public static let all: [MethodDeclaration] = [
        list.declaration, folders.declaration, agents.declaration, get.declaration, item.declaration,
        subscribe.declaration, unsubscribe.declaration, search.declaration, approvals.declaration, post.declaration,
        start.declaration, cancel.declaration, approve.declaration,
    ]
}

extension EventKind {
    /// A thread's line in the list changed.
    public static let threadChanged = EventKind("threads.changed", needs: .threadsRead)
    /// A thread is gone from the disk.
    public static let threadRemoved = EventKind("threads.removed", needs: .threadsRead)
    /// A thread goes on.
    public static let threadItems = EventKind("threads.items", needs: .threadsRead)
    /// A message that is being written.
    public static let threadDelta = EventKind("threads.delta", needs: .threadsRead)
    /// An agent waits for a person.
    public static let threadApproval = EventKind("threads.approval", needs: .threadsRead)
    /// It waits no more.
    public static let threadApprovalClosed = EventKind("threads.approval.closed", needs: .threadsRead)
}
