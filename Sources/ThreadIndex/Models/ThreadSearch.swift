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

/// One place where the words of a search were found.
package struct ThreadHit: Sendable {
    /// The kind of text that was found. The raw value is the word of the wire.
    package enum Kind: String, Sendable, Hashable {
        case title, user, agent, call, change, plan
    }

    package var thread: AgentThread
    /// The item's id; nil for a title.
    package var item: String?
    /// Where the item begins: a page from here has it first. Nil for a title.
    package var cursor: ConversationCursor?
    package var kind: Kind
    /// At most 300 characters on one line.
    package var snippet: String
    /// Where the words are in the snippet, as UTF-16 offsets.
    package var marks: [Range<Int>]

    package init(
        thread: AgentThread,
        item: String?,
        cursor: ConversationCursor?,
        kind: Kind,
        snippet: String,
        marks: [Range<Int>]
    ) {
        self.thread = thread
        self.item = item
        self.cursor = cursor
        self.kind = kind
        self.snippet = snippet
        self.marks = marks
    }
}

/// A part of what was found: threads by their title first, then items, each the newest first.
package struct SearchPage: Sendable {
    package var hits: [ThreadHit]
    /// Where more hits are; nil where there are none.
    package var next: String?
    /// How many threads' texts are searched so far; nil once all are.
    package var progress: IndexingProgress?

    package init(hits: [ThreadHit], next: String? = nil, progress: IndexingProgress? = nil) {
        self.hits = hits
        self.next = next
        self.progress = progress
    }
}
