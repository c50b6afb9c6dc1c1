package import Accounts
package import Chat

/// The log of all conversations: one row a message, and everything that is decided together with it.
///
/// Each function that changes something is one transaction, and returns once that is on disk (I3). All times are milliseconds since
/// 1970-01-01T00:00:00Z, and come from the caller. A function that names a person and a conversation throws ``ChatHubError/notMember`` for
/// anybody but the two people of the conversation (I10), and ``ChatHubError/notFound`` where nothing was ever written in it and it needs a
/// message. Nothing here is of one database: another store plays the same tests.
package protocol MessageLog: ChatKeyDirectory, HandoverDirectory {
    // MARK: Messages

    /// Stores a message, or finds the one that is there under the same id (I1, I2, I8).
    ///
    /// - Throws: ``ChatHubError``: `duplicateID`, `personUnknown`, `blockedByPeer`, `requestPending`, `requestNeedsText`,
    ///   `tooManyStrangers`, `unknownObject`, and `notFound` for a view-once picture that was not sent.
    func append(_ draft: MessageDraft, rules: SendRules, at now: Int64) async throws -> MessageAck
    /// Hands a message over, for callers that have more of them: as ``append(_:rules:at:)``, without waiting.
    ///
    /// Messages are stored in the order in which they were handed over.
    ///
    /// - Parameter done: Told in that order, once it is on disk or refused, and before this returns where nothing more is taken. It must not wait.
    func submit(
        _ draft: MessageDraft,
        rules: SendRules,
        at now: Int64,
        done: @escaping @Sendable (Result<MessageAck, any Error>) -> Void
    )
    /// Takes a message back: its content is blanked and its place stays.
    ///
    /// - Parameter window: Milliseconds since it was sent; nil for any time.
    func recall(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by person: UserID,
        window: Int64?,
        at now: Int64
    ) async throws -> StoredMessage
    /// Deletes messages for one person. Seqs that are not there are left out.
    func delete(_ seqs: [Int64], in conversation: ConversationID, for person: UserID, at now: Int64) async throws
    /// Hides all history from one person (I9).
    ///
    /// - Returns: The new first seq.
    func clear(_ conversation: ConversationID, for person: UserID, at now: Int64) async throws -> Int64
    /// Messages of a range in the asked order, without gaps: deleted ones keep their place.
    func messages(
        in conversation: ConversationID,
        for person: UserID,
        range: ClosedRange<Int64>,
        newestFirst: Bool,
        limit: PageLimit
    ) async throws -> MessagePage
    /// Parts of many conversations at one moment, in the order in which they were asked for.
    ///
    /// - Parameter byteLimit: Bytes of contents of all together. A part that had no room is empty and has no end.
    func messages(
        in parts: [MessageRange],
        for person: UserID,
        newestFirst: Bool,
        byteLimit: Int
    ) async throws -> [MessagePage]
    func message(_ target: MessageTarget, in conversation: ConversationID, for person: UserID) async throws
        -> StoredMessage
    /// Messages with all of these words, newest first within a conversation.
    ///
    /// - Parameter conversation: Nil for all of the person's.
    func search(
        _ words: SearchQuery,
        in conversation: ConversationID?,
        for person: UserID,
        from place: SearchPlace?,
        limit: SearchLimit
    ) async throws -> SearchPage

    // MARK: Conversations

    /// Moves the read cursor forward (I7). One that is behind is left as it is.
    ///
    /// - Parameter tellsPeer: Whether the peer learns of it.
    /// - Returns: The cursor afterwards.
    func read(
        _ conversation: ConversationID,
        by person: UserID,
        upTo seq: Int64,
        tellsPeer: Bool,
        origin: String?,
        at now: Int64
    ) async throws -> Int64
    /// Like `read`, for what has reached a device.
    func receive(_ conversation: ConversationID, by person: UserID, upTo seq: Int64, tellsPeer: Bool) async throws
        -> Int64
    func change(
        _ change: SettingsChange,
        of conversation: ConversationID,
        for person: UserID,
        origin: String?,
        at now: Int64
    ) async throws -> MemberSettings
    /// Hides the conversation until something new is written in it, and marks it as read.
    func hide(_ conversation: ConversationID, for person: UserID, at now: Int64) async throws
    /// Answers a stranger's first message.
    func answerRequest(_ conversation: ConversationID, by person: UserID, accepts: Bool, at now: Int64) async throws
    func summary(of conversation: ConversationID, for person: UserID) async throws -> ConversationSummary
    /// The visible conversations: pinned ones first, then by time, newest first, then by id (L1).
    func conversations(of person: UserID, page: ListPage) async throws -> ConversationList
    /// Where the person stands in all conversations, for a device that comes back.
    func seqs(of person: UserID) async throws -> [ConversationSeqs]
    /// The people with whom the person has a conversation that both write in.
    func acquaintances(of person: UserID, among people: [UserID]) async throws -> Set<UserID>

    // MARK: Events

    /// Changes after a number, oldest first. Throws nothing for a number that is too old: the page says so.
    func events(of person: UserID, after number: Int64, limit: Int) async throws -> EventPage

    // MARK: Blocks and reports

    func block(_ other: UserID, by person: UserID, limit: Int, at now: Int64) async throws
    func unblock(_ other: UserID, by person: UserID, at now: Int64) async throws
    /// In the order of their numbers.
    func blocked(by person: UserID) async throws -> [UserID]
    func report(
        _ target: MessageTarget?,
        in conversation: ConversationID,
        by person: UserID,
        reason: String,
        limit: Int,
        at now: Int64
    ) async throws -> Int64
    /// The newest first.
    ///
    /// - Parameters:
    ///   - id: Reports made before this one alone; nil for the newest.
    ///   - onlyOpen: Whether those that were looked at are left out.
    func reports(before id: Int64?, onlyOpen: Bool, limit: Int) async throws -> [Report]
    func closeReport(_ id: Int64, at now: Int64) async throws

    // MARK: View-once pictures

    /// Opens a sealed picture for one device: for the first caller alone.
    func openFlash(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by person: UserID,
        device: String,
        leaseMilliseconds: Int64,
        at now: Int64
    ) async throws -> FlashLease
    /// - Throws: ``ChatHubError/alreadyViewed`` for a lease that ended, and for another person's or device's.
    func flash(of lease: String, person: UserID, device: String, at now: Int64) async throws -> LeasedFlash
    /// Destroys the picture of a lease, whose last bytes are about to be sent.
    ///
    /// - Throws: ``ChatHubError/alreadyViewed`` where it is destroyed already.
    func destroyFlash(_ flash: LeasedFlash, at now: Int64) async throws
    /// Destroys pictures whose lease or life ended.
    ///
    /// - Returns: How many; fewer than the limit when none is left.
    func sweepFlashes(at now: Int64, limit: Int) async throws -> Int
    func access(to objectKey: String, of person: UserID) async throws -> ObjectAccess

    // MARK: Accounts

    /// From now on the person can neither send nor be sent to; what is the person's alone is removed.
    func beginDeletion(of person: UserID, at now: Int64) async throws
    /// Removes a bounded part of what is left.
    ///
    /// - Parameter limit: Rows.
    /// - Returns: Whether nothing is left.
    func continueDeletion(of person: UserID, limit: Int, at now: Int64) async throws -> Bool
    /// Deletions that began and have not ended, after a crash too.
    func unfinishedDeletions() async throws -> [UserID]

    // MARK: Care

    /// Removes copies of blanked contents that the store keeps besides (a journal). False where a reader is in the way: then later.
    func scrub() async throws -> Bool
    var load: LogLoad { get }
    /// Takes nothing from now on, and returns once what was taken is on disk or failed.
    func close() async
}

/// Counts of a log since its start.
package struct LogLoad: Hashable, Sendable {
    /// Transactions that were committed.
    package var commits = 0
    /// Writes in these.
    package var writes = 0

    package init(commits: Int = 0, writes: Int = 0) {
        self.commits = commits
        self.writes = writes
    }
}

package struct PageLimit: Hashable, Sendable {
    package let count: Int
    /// Bytes of contents; a page has one message at least.
    package let bytes: Int

    package init(count: Int = 40, bytes: Int = 1 << 20) {
        self.count = count
        self.bytes = bytes
    }
}

/// A part of a conversation: at most `count` messages of a range of seqs.
package struct MessageRange: Hashable, Sendable {
    package let conversation: ConversationID
    package let seqs: ClosedRange<Int64>
    package let count: Int
}

package struct MessagePage: Hashable, Sendable {
    package let messages: [StoredMessage]
    /// Whether nothing is left in the asked range that the person can see (B10).
    package let isEnd: Bool

    package init(messages: [StoredMessage], isEnd: Bool) {
        self.messages = messages
        self.isEnd = isEnd
    }
}

package struct ListPage: Hashable, Sendable {
    package let offset: Int
    package let count: Int

    package init(offset: Int = 0, count: Int = 100) {
        self.offset = offset
        self.count = count
    }
}

package struct ConversationList: Hashable, Sendable {
    package let conversations: [ConversationSummary]
    /// Of all that are visible.
    package let total: Int
    /// Unread messages in all that are visible.
    package let unreadTotal: Int
}

package struct EventPage: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package let number: Int64
        package let change: ChatChange
    }

    package let entries: [Entry]
    /// The newest number of the person's log.
    package let newest: Int64
    /// Events after the asked number are not kept any more, or the number is none of this log: load everything anew.
    package let needsResync: Bool
}
