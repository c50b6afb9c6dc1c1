public import Conversations

/// How much one page may cost.
public struct PageLimits: Hashable, Sendable {
    /// Items, but for the rest of a message that was begun.
    public var items: Int
    /// Bytes of text that are read. A page may be empty because of it, and then goes on where it says.
    public var bytes: Int64

    /// - Parameter items: At least 1 is taken.
    public init(items: Int = 100, bytes: Int64 = 64 << 20) {
        self.items = max(1, items)
        self.bytes = max(4 << 20, bytes)
    }
}

/// Lines that were passed over, since a file is never given up for one line.
public struct SkippedLines: Hashable, Sendable {
    /// Why a line is no record.
    public enum Reason: Hashable, Sendable { case tooLong, notUTF8, malformed }

    /// One line that was passed over.
    public struct Line: Hashable, Sendable {
        /// The offset of its first byte.
        public var offset: Int64
        /// Bytes without the line feed.
        public var length: Int64
        /// Why it was passed over.
        public var reason: Reason

        public init(offset: Int64, length: Int64, reason: Reason) {
            self.offset = offset
            self.length = length
            self.reason = reason
        }
    }

    /// Lines of one page that are named.
    static let limit = 32

    /// How many lines.
    public var count = 0
    /// Their length together.
    public var bytes: Int64 = 0
    /// The first of them.
    public var lines: [Line] = []

    public init(count: Int = 0, bytes: Int64 = 0, lines: [Line] = []) {
        self.count = count
        self.bytes = bytes
        self.lines = lines
    }

    mutating func note(_ line: HistoryLine, _ reason: Reason) {
        count += 1
        bytes += line.length
        if lines.count < Self.limit { lines.append(Line(offset: line.offset, length: line.length, reason: reason)) }
    }
}

/// A part of a conversation, in the order in which it happened.
public struct ConversationPage: Hashable, Sendable {
    /// In the order in which they happened.
    public var items: [ConversationItem] = []
    /// Where older items are. Nil where there are none, and for pages read forwards.
    public var older: ConversationCursor?
    /// Where newer items are, or will be: behind the newest whole line that was read.
    public var newer: ConversationCursor
    /// No whole line was left behind `newer` when the page was read.
    public var reachesEnd: Bool
    /// The person went back in the conversation: some of what was read before is not part of it any more. Read the last page anew.
    public var replacesEarlier = false
    /// Whether the agent is at work at the end of this page; nil where nothing in it tells.
    public var isTurnRunning: Bool?
    /// Lines that were passed over on the way.
    public var skipped = SkippedLines()
    /// Why a compressed file ends early; what is here is whole.
    public var damage: String?
    /// Bytes of text that were read for the page.
    public var bytesRead: Int64 = 0
    /// Where the file's own text begins. What lies before it is of the thread that this one was forked from, whose file holds it too.
    public var ownStart: Int64 = 0
    /// The file that was read: where it has another device or inode than before, cursors of the earlier one mean nothing.
    public var file: FileIdentity?

    public init(
        items: [ConversationItem] = [],
        older: ConversationCursor? = nil,
        newer: ConversationCursor,
        reachesEnd: Bool,
        replacesEarlier: Bool = false,
        isTurnRunning: Bool? = nil,
        skipped: SkippedLines = SkippedLines(),
        damage: String? = nil,
        bytesRead: Int64 = 0,
        file: FileIdentity? = nil
    ) {
        self.items = items
        self.older = older
        self.newer = newer
        self.reachesEnd = reachesEnd
        self.replacesEarlier = replacesEarlier
        self.isTurnRunning = isTurnRunning
        self.skipped = skipped
        self.damage = damage
        self.bytesRead = bytesRead
        self.file = file
    }
}
