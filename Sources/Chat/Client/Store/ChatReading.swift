import Accounts
import Chat
import GRDB
import Kernel
import Storage

/// What is read of one account, within a transaction or beside the writer.
struct ChatReading {
    let database: Database
    let account: Int64
    let me: UserID

    init(_ database: Database, account: Int64, me: UserID) {
        self.database = database
        self.account = account
        self.me = me
    }

    // MARK: The account

    /// The last change that is here; nil before the first list came.
    func event() throws -> Int64? {
        try database.row("SELECT event FROM messenger_account WHERE id = \(account)")?["event"]
    }

    // MARK: Conversations

    func conversation(_ id: ConversationID) throws -> ConversationRecord? {
        guard let peer = id.peer(of: me) else { return nil }
        return try database.row(
            "SELECT * FROM messenger_conversation WHERE account = \(account) AND peer = \(peer.number)"
        ).flatMap { ConversationRecord($0, of: me) }
    }

    func conversation(row: Int64) throws -> ConversationRecord? {
        try database.row("SELECT * FROM messenger_conversation WHERE id = \(row) AND account = \(account)")
            .flatMap { ConversationRecord($0, of: me) }
    }

    func conversations() throws -> [ConversationRecord] {
        try database.rows("SELECT * FROM messenger_conversation WHERE account = \(account) ORDER BY id")
            .compactMap { ConversationRecord($0, of: me) }
    }

    func listed(_ record: ConversationRecord) throws -> ListedConversation {
        ListedConversation(record: record, profile: try profile(record.peer), last: try last(of: record))
    }

    /// The visible conversations, in the order of the list. Source: rule L1.
    func list() throws -> [ListedConversation] {
        try conversations().map(listed).filter(\.isVisible).sorted { one, other in
            if one.record.isPinned != other.record.isPinned { return one.record.isPinned }
            if one.time != other.time { return one.time > other.time }
            return one.record.id.text.utf8.lexicographicallyPrecedes(other.record.id.text.utf8)
        }
    }

    /// The newest message that is shown: an own one that waits is behind all others. Source: invariant I6.
    private func last(of record: ConversationRecord) throws -> MessageRecord? {
        if let waiting = try waiting(in: record).last { return waiting }
        let hidden = MessageState([.control, .deleted]).rawValue
        return try database.row(
            """
            SELECT \(sql: MessageRecord.columns) FROM messenger_message m
            WHERE m.conversation = \(record.row) AND m.seq IS NOT NULL AND m.state & \(hidden) = 0
            ORDER BY m.seq DESC LIMIT 1
            """
        ).flatMap { MessageRecord($0, in: record.id) }
    }

    func profile(_ person: UserID) throws -> Profile? {
        try database.row(
            "SELECT name, avatar FROM messenger_profile WHERE account = \(account) AND person = \(person.number)"
        ).map { Profile(person: person, name: $0["name"], avatar: $0["avatar"]) }
    }

    /// People whose names are not known, or were fetched before `time`.
    ///
    /// - Parameter time: Milliseconds since 1970.
    func staleProfiles(before time: Int64) throws -> [UserID] {
        let numbers: [Int64] = try database.values(
            """
            SELECT c.peer FROM messenger_conversation c
            LEFT JOIN messenger_profile p ON p.account = c.account AND p.person = c.peer
            WHERE c.account = \(account) AND (p.fetchedAt IS NULL OR p.fetchedAt < \(time)) ORDER BY c.peer
            """
        )
        return numbers.compactMap { UserID($0) }
    }

    /// Conversations of which the hub lacks what this device did: cursors and drafts.
    func untold() throws -> [ConversationRecord] {
        try database.rows(
            """
            SELECT * FROM messenger_conversation WHERE account = \(account) AND newest > 0
                AND (readUpTo > readTold OR applied > max(receivedTold, readTold) OR isDraftTold = 0)
            ORDER BY id
            """
        ).compactMap { ConversationRecord($0, of: me) }
    }

    /// Drafts of conversations that nothing was written in yet are told, too.
    func untoldDrafts() throws -> [ConversationRecord] {
        try database.rows(
            "SELECT * FROM messenger_conversation WHERE account = \(account) AND newest = 0 AND isDraftTold = 0"
        ).compactMap { ConversationRecord($0, of: me) }
    }

    // MARK: Messages

    func message(_ key: MessageKey, in record: ConversationRecord) throws -> MessageRecord? {
        try database.row(
            """
            SELECT \(sql: MessageRecord.columns) FROM messenger_message m WHERE m.conversation = \(record.row)
                AND m.sender = \(key.sender.number) AND m.clientID = \(key.clientMessageID)
            """
        ).flatMap { MessageRecord($0, in: record.id) }
    }

    /// By the sender's id alone: the own one where both people chose the same.
    func message(_ id: String, in record: ConversationRecord) throws -> MessageRecord? {
        try message(MessageKey(sender: me, clientMessageID: id), in: record)
            ?? message(MessageKey(sender: record.peer, clientMessageID: id), in: record)
    }

    func message(at place: Int64, in record: ConversationRecord) throws -> MessageRecord? {
        try database.row(
            """
            SELECT \(sql: MessageRecord.columns) FROM messenger_message m
            WHERE m.conversation = \(record.row) AND m.seq = \(place)
            """
        ).flatMap { MessageRecord($0, in: record.id) }
    }

    func message(row: Int64) throws -> (MessageRecord, ConversationRecord)? {
        guard
            let found = try database.row(
                "SELECT \(sql: MessageRecord.columns), m.conversation FROM messenger_message m WHERE m.id = \(row)"
            ), let record = try conversation(row: found["conversation"]),
            let message = MessageRecord(found, in: record.id)
        else { return nil }
        return (message, record)
    }

    /// Messages that are shown, of a range, the newest first.
    func messages(in record: ConversationRecord, _ range: ClosedRange<Int64>, limit: Int) throws -> [MessageRecord] {
        let hidden = MessageState([.control, .deleted]).rawValue
        return try database.rows(
            """
            SELECT \(sql: MessageRecord.columns) FROM messenger_message m
            WHERE m.conversation = \(record.row) AND m.seq >= \(range.lowerBound) AND m.seq <= \(range.upperBound)
                AND m.state & \(hidden) = 0
            ORDER BY m.seq DESC LIMIT \(limit)
            """
        ).compactMap { MessageRecord($0, in: record.id) }
    }

    /// Own messages without a place, in the order of their making.
    func waiting(in record: ConversationRecord) throws -> [MessageRecord] {
        try database.rows(
            """
            SELECT \(sql: MessageRecord.columns) FROM messenger_message m
            WHERE m.conversation = \(record.row) AND m.seq IS NULL ORDER BY m.id
            """
        ).compactMap { MessageRecord($0, in: record.id) }
    }

    /// Unread messages in what is here: the peer's behind the cursor that count and were not taken back. Source: invariant I7.
    func unread(in record: ConversationRecord, after cursor: Int64, upTo end: Int64 = .max) throws -> Int {
        let passed = MessageState([.control, .recalled]).rawValue
        return try database.value(
            """
            SELECT count(*) FROM messenger_message WHERE conversation = \(record.row) AND seq > \(cursor) AND seq <= \(end)
                AND sender = \(record.peer.number) AND state & \(passed) = 0
            """
        ) ?? 0
    }

    // MARK: The outbox

    /// An own message that waits or failed.
    struct Waiting: Sendable {
        let row: Int64
        let message: OutgoingMessage
        let isFailed: Bool
    }

    /// All that waits or failed, in the order of the calls.
    func outbox() throws -> [Waiting] {
        try database.rows(
            """
            SELECT o.message, o.body, o.isFailed, m.clientID, c.peer FROM messenger_outbox o
            JOIN messenger_message m ON m.id = o.message JOIN messenger_conversation c ON c.id = m.conversation
            WHERE o.account = \(account) ORDER BY o.position
            """
        ).compactMap(waiting)
    }

    /// - Parameter id: The client's id of an own message: unique for the account at its hub.
    func outgoing(_ id: String) throws -> Waiting? {
        try database.row(
            """
            SELECT o.message, o.body, o.isFailed, m.clientID, c.peer FROM messenger_outbox o
            JOIN messenger_message m ON m.id = o.message JOIN messenger_conversation c ON c.id = m.conversation
            WHERE o.account = \(account) AND m.clientID = \(id) AND m.sender = \(me.number)
            """
        ).flatMap(waiting)
    }

    private func waiting(_ row: Row) -> Waiting? {
        guard let id = UserID(row["peer"] as Int64).flatMap({ ConversationID(me, $0) }),
            let body = try? JSONValue(parsing: (row["body"] as String).utf8).decode(as: OutgoingRecord.self),
            let message = body.message(row["clientID"], in: id)
        else { return nil }
        return Waiting(row: row["message"], message: message, isFailed: row["isFailed"])
    }

    func lastPosition() throws -> Int64 {
        try database.value("SELECT max(position) FROM messenger_outbox WHERE account = \(account)") ?? 0
    }

    // MARK: Search

    /// Where a search of this device goes on: below a message in the order of time.
    struct SearchPlace: Hashable, Sendable {
        var time: Int64
        var row: Int64
    }

    /// Messages with all of these words, the newest first.
    ///
    /// - Parameter conversation: Nil for all of the account's.
    func search(
        _ words: SearchWords,
        in conversation: ConversationRecord?,
        before place: SearchPlace?,
        limit: Int
    ) throws -> [MessageRecord] {
        let place = place ?? SearchPlace(time: .max, row: .max)
        return try database.rows(
            """
            SELECT \(sql: MessageRecord.columns), c.peer, max(m.sendTime, m.createTime) AS time
            FROM messenger_words w JOIN messenger_message m ON m.id = w.rowid
            JOIN messenger_conversation c ON c.id = m.conversation
            WHERE messenger_words MATCH \(words.expression) AND c.account = \(account)
                AND (\(conversation?.row) IS NULL OR c.id = \(conversation?.row))
                AND (time < \(place.time) OR time = \(place.time) AND m.id < \(place.row))
            ORDER BY time DESC, m.id DESC LIMIT \(limit)
            """
        ).compactMap { row in
            guard let id = UserID(row["peer"] as Int64).flatMap({ ConversationID(me, $0) }) else { return nil }
            return MessageRecord(row, in: id)
        }
    }
}

extension MessageRecord {
    /// The time by which a search orders.
    var searchTime: Int64 { max(sendTime, createTime) }
}
