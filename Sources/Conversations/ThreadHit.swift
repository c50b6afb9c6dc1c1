/// One place where the words of a search were found.
public struct ThreadHit<Thread: Sendable>: Sendable {
    public var thread: Thread
    /// The item's id; nil for a title.
    public var item: String?
    /// Where the item begins: a page from here has it first. Nil for a title.
    public var cursor: ConversationCursor?
    /// `title`, `user`, `agent`, `call`, `change`, `plan` and others.
    public var kind: String
    /// At most 300 characters on one line around the match.
    public var snippet: String
    /// The matched words, as UTF-16 offsets in the snippet.
    public var marks: [Range<Int>]

    public init(
        thread: Thread,
        item: String?,
        cursor: ConversationCursor?,
        kind: String,
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

extension ThreadHit: Equatable where Thread: Equatable {}
extension ThreadHit: Hashable where Thread: Hashable {}
