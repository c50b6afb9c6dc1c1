import Accounts
import Chat
import Foundation
import GRDB
import Storage

/// One transaction of the log's writer, and what it brings. It lives within the transaction.
final class LogTransaction {
    /// The newest events of a person that are kept.
    static let eventLimit: Int64 = 2000

    let database: Database
    let objects: any ObjectReferences
    /// Whether an app's backend is told of what happens.
    let hasWebhook: Bool
    private(set) var news = LogNews()
    /// Messages that were stored, by the days on which they were sent.
    private var days: [Int64: Int] = [:]
    /// Whether a content was blanked, of which the journal has a copy still.
    private(set) var isBlanked = false

    init(_ database: Database, objects: any ObjectReferences, hasWebhook: Bool = false) {
        self.database = database
        self.hasWebhook = hasWebhook
        self.objects = objects
    }

    /// One write of the group: what it throws is told to its caller alone, and leaves nothing.
    func attempt<Answer>(
        isWhole: Bool,
        _ body: (LogTransaction) throws -> Answer
    ) throws -> Result<Answer, ChatHubError> {
        let before = news.counts
        do {
            guard !isWhole else { return .success(try body(self)) }
            var answer: Answer?
            try database.inSavepoint {
                answer = try body(self)
                return .commit
            }
            guard let answer else { throw StorageError.damaged }
            return .success(answer)
        } catch let error as ChatHubError {
            news.shorten(to: before)
            return .failure(error)
        }
    }

    // MARK: What is told

    func tell(_ push: ChatPush) { news.pushes.append(push) }

    func notify(_ notice: OfflineNotice) { news.notices.append(notice) }

    /// Puts a change into a person's log of events, and tells their devices.
    func record(_ change: ChatChange, for person: UserID, in row: Int64?, origin: String? = nil) throws {
        guard let event = EventRow(change) else { return }
        let number: Int64? = try database.value(
            """
            INSERT INTO chat_person (person, useq) VALUES (\(person.number), 1)
            ON CONFLICT (person) DO UPDATE SET useq = useq + 1 RETURNING useq
            """
        )
        guard let number else { throw StorageError.damaged }
        try database.run(
            """
            INSERT INTO chat_event (person, useq, kind, conversation, number, other, at, text)
            VALUES (\(person.number), \(number), \(event.kind.rawValue), \(row), \(event.number), \(event.other), \
            \(event.at), \(event.text))
            """
        )
        try database.run(
            "DELETE FROM chat_event WHERE person = \(person.number) AND useq = \(number - Self.eventLimit)"
        )
        tell(ChatPush(person: person, number: number, change: change, origin: origin))
    }

    // MARK: Rows

    /// The conversation and the person's place in it. Nil where nothing was ever kept of it.
    ///
    /// - Throws: ``ChatHubError/notMember``.
    func place(of person: UserID, in conversation: ConversationID) throws -> MemberPlace? {
        try LogReading(database).place(of: person, in: conversation)
    }

    func existingPlace(of person: UserID, in conversation: ConversationID) throws -> MemberPlace {
        guard let place = try place(of: person, in: conversation) else { throw ChatHubError.notFound }
        return place
    }

    /// The row of a conversation that is not there yet.
    func makeConversation(_ conversation: ConversationID) throws -> Int64 {
        let (low, high) = conversation.numbers
        try database.run("INSERT INTO chat_conversation (low, high) VALUES (\(low), \(high))")
        let row = database.lastInsertedRowID
        for person in [low, high] {
            try database.run("INSERT INTO chat_member (person, conversation) VALUES (\(person), \(row))")
        }
        return row
    }

    func isDeleted(_ person: UserID) throws -> Bool {
        try database.value(
            "SELECT 1 FROM chat_person WHERE person = \(person.number) AND deletedAt IS NOT NULL"
        ) == 1
    }

    /// Removes a message's content from its row, and the references to its objects.
    func blank(_ row: Int64, seq: Int64, setting bits: Int) throws {
        try database.run(
            """
            UPDATE chat_message SET content = x'', fingerprint = x'', searchText = NULL, bits = bits | \(bits)
            WHERE conversation = \(row) AND seq = \(seq)
            """
        )
        isBlanked = true
        let keys: [String] = try database.values(
            "SELECT objectKey FROM chat_object WHERE conversation = \(row) AND seq = \(seq)"
        )
        for key in keys { try release(key) }
        if !keys.isEmpty {
            try database.run("DELETE FROM chat_object WHERE conversation = \(row) AND seq = \(seq)")
        }
    }

    func release(_ key: String) throws {
        try objects.release(key, in: database)
        news.releasedObjects.append(key)
    }

    func markBlanked() { isBlanked = true }

    // MARK: Counts

    /// Nothing may fail between this and the end of the write.
    func count(messageAt time: Int64) { days[time / 86_400_000, default: 0] += 1 }

    /// Writes down what was counted, once for a group.
    func finish() throws {
        for (day, count) in days {
            try database.run(
                """
                INSERT INTO chat_day VALUES (\(day), \(count)) ON CONFLICT (day) DO UPDATE SET messages = messages + excluded.messages
                """
            )
        }
    }
}

extension LogNews {
    fileprivate var counts: (pushes: Int, notices: Int, releasedObjects: Int) {
        (pushes.count, notices.count, releasedObjects.count)
    }

    /// Takes back what was added since. A copy of all for each write would be copied again with the first addition.
    fileprivate mutating func shorten(to counts: (pushes: Int, notices: Int, releasedObjects: Int)) {
        pushes.removeLast(pushes.count - counts.pushes)
        notices.removeLast(notices.count - counts.notices)
        releasedObjects.removeLast(releasedObjects.count - counts.releasedObjects)
    }
}

extension ConversationID {
    /// The two people's numbers, the smaller first.
    var numbers: (low: Int64, high: Int64) {
        let (one, other) = (people[0].number, people[1].number)
        return one < other ? (one, other) : (other, one)
    }

    /// - Throws: ``ChatHubError/notMember``.
    func checkedPeer(of person: UserID) throws -> UserID {
        guard let peer = peer(of: person) else { throw ChatHubError.notMember }
        return peer
    }
}

/// A conversation's row and the place of one of its people.
struct MemberPlace {
    let row: Int64
    let conversation: ConversationID
    let person: UserID
    let peer: UserID
    let maxSeq: Int64
    let lastAt: Int64
    let previewSeq: Int64
    let previewAt: Int64
    /// Countable messages of the peer that were not taken back.
    let peerCount: Int64
    let stage: ConversationStage
    let requester: UserID?
    let readSeq: Int64
    let seenCount: Int64
    let toldReadSeq: Int64
    let receivedSeq: Int64
    let minSeq: Int64
    let hiddenUpTo: Int64
    let settings: MemberSettings
    let draftAt: Int64

    /// The columns that ``init(_:_:_:)`` reads, of a conversation `c` and a member `m`.
    static let columns = """
        c.id, c.low, c.high, c.maxSeq, c.lastAt, c.previewSeq, c.previewAt, c.lowCount, c.highCount, c.stage, c.requester, \
        m.readSeq, m.seenCount, m.toldReadSeq, m.receivedSeq, m.minSeq, m.hiddenUpTo, m.isPinned, m.receiveOption, m.draft, \
        m.draftAt
        """

    init(_ row: Row, _ conversation: ConversationID, _ person: UserID) throws {
        guard let peer = conversation.peer(of: person), let stage = ConversationStage(rawValue: row["stage"]) else {
            throw StorageError.damaged
        }
        self.row = row["id"]
        self.conversation = conversation
        self.person = person
        self.peer = peer
        maxSeq = row["maxSeq"]
        lastAt = row["lastAt"]
        previewSeq = row["previewSeq"]
        previewAt = row["previewAt"]
        peerCount = person < peer ? row["highCount"] : row["lowCount"]
        self.stage = stage
        requester = (row["requester"] as Int64?).flatMap { UserID($0) }
        readSeq = row["readSeq"]
        seenCount = row["seenCount"]
        toldReadSeq = row["toldReadSeq"]
        receivedSeq = row["receivedSeq"]
        minSeq = row["minSeq"]
        hiddenUpTo = row["hiddenUpTo"]
        settings = MemberSettings(
            isPinned: row["isPinned"],
            receiveOption: ReceiveOption(rawValue: row["receiveOption"]) ?? .receive,
            draft: row["draft"]
        )
        draftAt = row["draftAt"]
    }

    /// I7. Never negative: both counts change in the transaction that changes the rows.
    var unread: Int { Int(max(0, peerCount - seenCount)) }
    var isVisible: Bool { previewSeq > hiddenUpTo || settings.draft != nil }
    var seqs: ConversationSeqs {
        ConversationSeqs(
            conversation: conversation,
            maxSeq: maxSeq,
            minSeq: minSeq,
            readSeq: readSeq,
            maxSeqTime: lastAt
        )
    }
}
