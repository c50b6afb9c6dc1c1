package import AgentHistory
package import Conversations

/// A search in titles and in what was said.
package struct ThreadSearch: Sendable {
    /// Characters of a query.
    package static let queryLimit = 500
    /// Hits of one page.
    package static let limits = 1...100

    /// The words as a person types them: all have to be there, the last one only with its beginning. Nothing in them has a special meaning.
    package var query: String
    /// 1...100; what lies outside of it is moved to its nearer end.
    package var limit: Int
    /// ``SearchPage/next`` of the page before; nil for the first page.
    package var cursor: String?
    /// Only threads of this agent.
    package var agent: Agent?
    /// Only threads whose agent works in exactly this folder.
    package var folder: String?

    package init(query: String, limit: Int = 20, cursor: String? = nil, agent: Agent? = nil, folder: String? = nil) {
        self.query = query
        self.limit = min(max(limit, Self.limits.lowerBound), Self.limits.upperBound)
        self.cursor = cursor
        self.agent = agent
        self.folder = folder
    }
}

/// A part of what was found: threads by their title first, then items, each the newest first.
package struct SearchPage: Sendable {
    package var hits: [ThreadHit<AgentThread>]
    /// Where more hits are; nil where there are none.
    package var next: String?
    /// How many threads' texts are searched so far; nil once all are.
    package var progress: IndexingProgress?

    package init(hits: [ThreadHit<AgentThread>], next: String? = nil, progress: IndexingProgress? = nil) {
        self.hits = hits
        self.next = next
        self.progress = progress
    }
}
