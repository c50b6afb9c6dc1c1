package import AgentHistory
package import Conversations

/// A query of a list: which threads it shows, and which part of them.
package struct ThreadQuery: Sendable {
    /// Threads of one page.
    package static let limits = 1...200

    /// 1...200; what lies outside of it is moved to its nearer end.
    package var limit: Int
    /// ``ThreadListPage/next`` of the page before; nil for the first page.
    package var cursor: String?
    /// Only threads of this agent.
    package var agent: Agent?
    /// Only threads whose agent works in exactly this folder.
    package var folder: String?
    /// Also threads that a person put away.
    package var includesArchived: Bool
    /// Only threads that a person put away.
    package var isArchived: Bool
    /// Also threads that no person works in: of programs, and of other threads.
    package var includesAll: Bool
    /// Only these threads.
    package var references: Set<ThreadReference>?

    package init(
        limit: Int = 50,
        cursor: String? = nil,
        agent: Agent? = nil,
        folder: String? = nil,
        includesArchived: Bool = false,
        isArchived: Bool = false,
        includesAll: Bool = false,
        references: Set<ThreadReference>? = nil
    ) {
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
        self.cursor = cursor
        self.agent = agent
        self.folder = folder
        self.includesArchived = includesArchived
        self.isArchived = isArchived
        self.includesAll = includesAll
        self.references = references
    }
}

/// A part of a list, the newest message first.
package struct ThreadListPage: Sendable {
    package var threads: [AgentThread]
    /// Where older threads are; nil where there are none.
    package var next: String?
    /// The number of threads in the whole list.
    package var total: Int

    package init(threads: [AgentThread], next: String? = nil, total: Int) {
        self.threads = threads
        self.next = next
        self.total = total
    }
}

/// A change that the index noticed on disk.
package enum ThreadChange: Sendable, Hashable {
    /// A thread is new, or its line in the list is another one now.
    case changed(AgentThread)
    /// Something was written to the thread's file. Told at once, before the line in the list is made anew: followers read on.
    case grown(ThreadReference)
    /// No file of the thread is left.
    case removed(ThreadReference)
}
