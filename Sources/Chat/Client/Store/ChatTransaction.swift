import Accounts
import Chat
import GRDB
import Kernel
import Storage

/// A transaction of one account's writer, and what it brings. It lives within the transaction.
final class ChatTransaction {
    let database: Database
    let account: Int64
    let me: UserID
    let reading: ChatReading
    private let mapper: IMMessageMapper
    /// Rows of messages that were changed and are told, in the order of their first change.
    private var touched: [Int64] = []
    private var touchedSet: Set<Int64> = []
    private var changed: [Int64] = []
    private var changedSet: Set<Int64> = []
    private var removed: [(ConversationID, MessageKey)] = []
    private var cleared: [(ConversationID, through: Int64)] = []
    private var peerRead: [(ConversationID, upTo: Int64)] = []
    private var notices: [NoticeRecord] = []

    init(_ database: Database, account: Int64, me: UserID) {
        self.database = database
        self.account = account
        self.me = me
        reading = ChatReading(database, account: account, me: me)
        mapper = IMMessageMapper(me: me)
    }

    // MARK: What is told

    func touch(_ message: MessageRecord) {
        guard let row = message.row, touchedSet.insert(row).inserted else { return }
        touched.append(row)
    }

    func note(_ record: ConversationRecord) {
        if changedSet.insert(record.row).inserted { changed.append(record.row) }
    }

    func noteRemoved(_ message: MessageRecord) { removed.append((message.conversation, message.key)) }

    func noteCleared(_ id: ConversationID, through place: Int64) { cleared.append((id, through: place)) }

    func notePeerRead(_ id: ConversationID, upTo place: Int64) { peerRead.append((id, upTo: place)) }

    func noteNotice(_ notice: NoticeRecord) { notices.append(notice) }

    /// What the transaction brought, as it is at its end.
    func news() throws -> StoreNews {
        var news = StoreNews()
        for row in touched {
            guard let (message, record) = try reading.message(row: row) else { continue }
            if message.state.contains(.deleted) {
                news.removed.append((message.conversation, message.key))
            } else if message.isShown {
                news.messages.append(StoreNews.Message(record: message, peerRead: record.peerRead))
            }
        }
        for row in changed {
            guard let record = try reading.conversation(row: row) else { continue }
            news.conversations.append(try reading.listed(record))
        }
        news.removed += removed
        news.cleared = cleared
        news.peerRead = peerRead
        news.notices = notices
        return news
    }

    /// Words were removed, of which the files have copies still.
    ///
    /// - Parameter where: Of ``ChatStore/Remains``.
    func noteRemains(_ place: Int) throws {
        try database.run("UPDATE messenger_care SET remains = max(remains, \(place))")
    }

    // MARK: Conversations

    func conversation(_ id: ConversationID) throws -> ConversationRecord {
        if let known = try reading.conversation(id) { return known }
        guard let peer = id.peer(of: me) else { throw ChatError.notYours }
        try database.run(
            "INSERT INTO messenger_conversation (account, peer) VALUES (\(account), \(peer.number))"
        )
        guard let made = try reading.conversation(id) else { throw StorageError.damaged }
        return made
    }

    /// Changes a conversation, and counts what is unread in it anew.
    @discardableResult
    func change<Answer>(
        _ id: ConversationID,
        _ body: (inout ConversationRecord) throws -> Answer
    ) throws -> Answer {
        let before = try conversation(id)
        var record = before
        let answer = try body(&record)
        if record.draft != before.draft, before.draft != nil { try noteRemains(ChatStore.Remains.log) }
        if record.readUpTo >= (record.oldest ?? .max) - 1 { record.olderUnread = 0 }
        record.unread =
            record.oldest == nil
            ? record.olderUnread
            : try reading.unread(in: record, after: record.readUpTo) + record.olderUnread
        if record != before { try record.save(in: database) }
        // A message of it may have changed, too, and with it what the list shows.
        note(record)
        return answer
    }

    func setEvent(_ number: Int64) throws {
        try database.run("UPDATE messenger_account SET event = \(number) WHERE id = \(account)")
    }

    func keep(_ profiles: [Profile], of asked: [UserID], at now: Int64) throws {
        let byPerson = Dictionary(profiles.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        for person in asked {
            // Who has no profile is asked about again as late as the others.
            let profile = try byPerson[person] ?? reading.profile(person)
            try database.run(
                """
                INSERT OR REPLACE INTO messenger_profile
                VALUES (\(account), \(person.number), \(profile?.name ?? ""), \(profile?.avatar ?? ""), \(now))
                """
            )
            guard let id = ConversationID(me, person), let record = try reading.conversation(id) else { continue }
            note(record)
        }
    }

    // MARK: Messages

    /// Something that came, merged with what is known of it: states only grow, and each message is one row. Source: invariant I5, rules B6, B14.
    ///
    /// - Parameter tells: Whether followers are told: not of older pages, for which somebody waits.
    func take(
        _ arrival: Arrival,
        in record: inout ConversationRecord,
        early: EarlyBook,
        tells: Bool
    ) throws {
        let data = arrival.data
        let place = data.sequence > 0 ? data.sequence : nil
        if data.contentType == .deleteMessages {
            guard let sender = data.sender, let place, record.id.peer(of: sender) != nil else { return }
            try takeDeleted(
                MessageKey(sender: sender, clientMessageID: data.clientMessageID),
                place,
                data,
                &record,
                early: early
            )
            return
        }
        switch mapper.item(data, in: record.id) {
        case .message(var message):
            early.apply(to: &message, in: record.id)
            try take(message, arrival, in: &record, tells: tells)
            if let place { try deleteIfEarly(place, in: record, early: early) }
        case .flashViewed(let target, let place):
            if let place { try takeControl(data, place, in: &record) }
            try destroy(target, in: record, early: early)
        case .recalled(let recall): try self.recall(recall, in: record, early: early)
        case .read(let receipt):
            if receipt.reader != me { record.peerRead = max(record.peerRead, receipt.readSequence) }
        case .typing, .nothing, nil: break
        }
    }

    private func take(
        _ message: ChatMessage,
        _ arrival: Arrival,
        in record: inout ConversationRecord,
        tells: Bool
    ) throws {
        if let place = message.sequence, place < record.lowest {
            // An own one whose place became known only now, in what was cleared.
            if let own = try reading.message(message.key, in: record), own.sequence == nil { try delete(own) }
            return
        }
        var state = arrival.state
        if message.isRecalled { state.insert(.recalled) }
        var incoming = MessageRecord(arrival.data, message.key, in: record.id, state)
        incoming.sequence = message.sequence
        incoming.sendTime = message.sendTime ?? incoming.sendTime
        incoming.trouble = arrival.trouble
        if message.isRecalled { incoming.blank(.recalled) } else if message.isDestroyed { incoming.blank(.destroyed) }
        try useHanded(for: &incoming, in: record)
        guard var known = try reading.message(message.key, in: record) else {
            if let place = message.sequence {
                record.preview = max(record.preview, place)
                try giveWay(to: incoming, at: place, in: record)
            }
            guard try isFree(incoming.sequence, in: record) else { return }
            try insert(&incoming, in: record)
            if tells { touch(incoming) }
            return
        }
        guard !known.state.contains(.control) else { return }
        if let place = message.sequence { record.preview = max(record.preview, place) }
        let before = known
        known.merge(incoming, keepsContent: arrival.isUnopened)
        if known.sequence != before.sequence, try !isFree(known.sequence, in: record) {
            // Another row has the place: the hub never says so, and the first one keeps it.
            known.sequence = before.sequence
        }
        guard known != before else { return }
        try update(known, from: before)
        if before.status == .failed, known.status == .success { try leaveOutbox(known) }
        if tells { touch(known) }
    }

    /// A row that stood for a message which could not be read leaves once the message itself comes, to a later version of this program.
    private func giveWay(to incoming: MessageRecord, at place: Int64, in record: ConversationRecord) throws {
        guard incoming.trouble != .unreadable, let standing = try reading.message(at: place, in: record),
            standing.trouble == .unreadable,
            standing.key.clientMessageID == MessageData.placeholderID(at: place)
        else { return }
        try delete(standing)
    }

    private func isFree(_ place: Int64?, in record: ConversationRecord) throws -> Bool {
        guard let place else { return true }
        return try reading.message(at: place, in: record) == nil
    }

    /// A message without a bubble: it has its place, so that no unread count takes it for a gap.
    private func takeControl(_ data: MessageData, _ place: Int64, in record: inout ConversationRecord) throws {
        guard let sender = data.sender, place >= record.lowest, try isFree(place, in: record) else { return }
        let key = MessageKey(sender: sender, clientMessageID: data.clientMessageID)
        guard try reading.message(key, in: record) == nil else { return }
        var row = MessageRecord(data, key, in: record.id, .control)
        try insert(&row, in: record)
    }

    private func takeDeleted(
        _ key: MessageKey,
        _ place: Int64,
        _ data: MessageData,
        _ record: inout ConversationRecord,
        early: EarlyBook
    ) throws {
        guard place >= record.lowest else { return }
        record.preview = max(record.preview, place)
        if let known = try reading.message(key, in: record) ?? reading.message(at: place, in: record) {
            try markDeleted(known)
        } else {
            try forgetHanded(at: place, in: record)
            var row = MessageRecord(data, key, in: record.id, [])
            row.blank(.deleted)
            if early.hasRecalled(key, at: place, in: record.id) { row.state.insert(.recalled) }
            try insert(&row, in: record)
        }
    }

    private func markDeleted(_ known: MessageRecord) throws {
        guard !known.state.contains(.deleted) else { return }
        var row = known
        row.blank(.deleted)
        try update(row, from: known)
        touch(row)
    }

    /// Deletes messages for this person alone, those that are not here yet when they come: what was pushed may wait for something before it, an answer
    /// that is on its way was made before, and an own message may not know its place.
    func delete(_ places: [Int64], in record: ConversationRecord, early: EarlyBook) throws {
        for place in places {
            try forgetHanded(at: place, in: record)
            if let known = try reading.message(at: place, in: record) {
                try markDeleted(known)
            } else {
                early.noteDeleted(place, in: record.id)
            }
        }
    }

    /// Deletes what has come to a place now, where the person deleted it before.
    func deleteIfEarly(_ place: Int64, in record: ConversationRecord, early: EarlyBook) throws {
        guard early.hasDeleted(place, in: record.id), let known = try reading.message(at: place, in: record) else {
            return
        }
        try markDeleted(known)
    }

    func recall(_ recall: IncomingItem.Recall, in record: ConversationRecord, early: EarlyBook) throws {
        let known =
            try recall.target.flatMap { try reading.message($0, in: record) }
            ?? (recall.target == nil ? recall.sequence.flatMap { try reading.message(at: $0, in: record) } : nil)
        guard let known else {
            if let place = recall.sequence { try forgetHanded(at: place, in: record) }
            if let target = recall.target { try forgetHanded(target, in: record) }
            // A deleted message's own id may be gone with it; its place is not.
            if let place = recall.sequence, let deleted = try reading.message(at: place, in: record),
                deleted.state.contains(.deleted)
            {
                return try markRecalled(deleted)
            }
            return early.note(recall, in: record.id)
        }
        try markRecalled(known)
    }

    func markRecalled(_ known: MessageRecord) throws {
        guard !known.state.contains(.recalled) else { return }
        var row = known
        if row.state.contains(.deleted) { row.state.insert(.recalled) } else { row.blank(.recalled) }
        try update(row, from: known)
        touch(row)
    }

    /// A view-once picture is gone.
    func destroy(_ key: MessageKey, in record: ConversationRecord, early: EarlyBook) throws {
        guard let known = try reading.message(key, in: record) else { return early.noteBurned(key, in: record.id) }
        let isPicture: Bool
        if case .flashImage = known.payload { isPicture = true } else { isPicture = known.trouble != nil }
        guard isPicture, known.state.isDisjoint(with: [.destroyed, .recalled, .deleted]) else { return }
        var row = known
        row.blank(.destroyed)
        try update(row, from: known)
        touch(row)
    }

    /// Hides everything before a place from this person. Own messages that wait stay. Source: rule C9, invariant I9.
    func clear(_ record: inout ConversationRecord, before place: Int64) throws {
        guard place > record.lowest else { return }
        record.lowest = place
        record.readUpTo = max(record.readUpTo, place - 1)
        record.readTold = max(record.readTold, place - 1)
        record.newest = max(record.newest, place - 1)
        if record.oldest != nil {
            record.applied = max(record.applied, place - 1)
            record.oldest = max(record.oldest ?? place, place)
        }
        record.olderUnread = 0
        try database.run("DELETE FROM messenger_notice WHERE conversation = \(record.row) AND place < \(place)")
        try forgetHanded(before: place, in: record)
        try database.run("DELETE FROM messenger_message WHERE conversation = \(record.row) AND seq < \(place)")
        if database.changesCount > 0 { try noteRemains(ChatStore.Remains.index) }
        noteCleared(record.id, through: place - 1)
    }

    // MARK: Places

    /// Everything up to a place was seen, and what is there behind it without a gap: own messages whose answers were quicker.
    func advance(_ record: inout ConversationRecord, through place: Int64) throws {
        record.applied = max(record.applied, min(place, ChatLimits.place))
        while try reading.message(at: record.applied + 1, in: record) != nil { record.applied += 1 }
        record.note(newest: record.applied)
    }

    // MARK: Rows

    func insert(_ message: inout MessageRecord, in record: ConversationRecord) throws {
        try database.run(
            """
            INSERT INTO messenger_message (conversation, sender, clientID, seq, serverID, contentType, content, words,
                createTime, sendTime, status, error, state, trouble)
            VALUES (\(record.row), \(message.key.sender.number), \(message.key.clientMessageID), \(message.sequence),
                \(message.serverID), \(message.contentType.rawValue), \(message.element.canonicalText),
                \(message.words.map { SearchText.indexed($0) }), \(message.createTime), \(message.sendTime),
                \(message.status.rawValue), \(message.error), \(message.state.rawValue), \(message.trouble?.rawValue))
            """
        )
        message.row = database.lastInsertedRowID
    }

    func update(_ message: MessageRecord, from before: MessageRecord) throws {
        let isBlanked = message.contentType != before.contentType || message.element != before.element
        try database.run(
            """
            UPDATE messenger_message SET seq = \(message.sequence), serverID = \(message.serverID),
                contentType = \(message.contentType.rawValue), content = \(message.element.canonicalText),
                createTime = \(message.createTime), sendTime = \(message.sendTime), status = \(message.status.rawValue),
                error = \(message.error), state = \(message.state.rawValue), trouble = \(message.trouble?.rawValue)
            WHERE id = \(message.row)
            """
        )
        guard isBlanked else { return }
        // The index is touched only where the words change.
        try database.run(
            "UPDATE messenger_message SET words = \(message.words.map { SearchText.indexed($0) }) WHERE id = \(message.row)"
        )
        if message.words == nil {
            try noteRemains(before.words == nil ? ChatStore.Remains.log : ChatStore.Remains.index)
        }
    }

    func delete(_ message: MessageRecord) throws {
        try database.run("DELETE FROM messenger_outbox WHERE message = \(message.row)")
        try database.run("DELETE FROM messenger_message WHERE id = \(message.row)")
        try noteRemains(message.words == nil ? ChatStore.Remains.log : ChatStore.Remains.index)
        noteRemoved(message)
    }

    func leaveOutbox(_ message: MessageRecord) throws {
        try database.run("DELETE FROM messenger_outbox WHERE message = \(message.row)")
    }
}

extension MessageRecord {
    /// Takes over what another copy knows. Places, times and states only grow.
    ///
    /// - Parameter keepsContent: Whether the copy is still sealed, and the content here is what was inside.
    mutating func merge(_ other: MessageRecord, keepsContent: Bool) {
        sequence = sequence ?? other.sequence
        if !other.serverID.isEmpty { serverID = other.serverID }
        if other.sendTime > 0 { sendTime = other.sendTime }
        if status != .success {
            status = .success
            error = nil
        }
        state.formUnion(other.state.intersection([.sealed, .unexpectedlyClear]))
        guard state.isDisjoint(with: [.recalled, .deleted]) else {
            // A deleted row that was taken back does not count any more.
            if other.state.contains(.recalled) { state.insert(.recalled) }
            return
        }
        if other.state.contains(.recalled) {
            blank(.recalled)
        } else if other.state.contains(.destroyed) || state.contains(.destroyed) {
            blank(.destroyed)
        } else if !keepsContent, other.trouble == nil || trouble != nil {
            contentType = other.contentType
            element = other.element
            trouble = other.trouble
        }
    }
}

/// A message that came, as this device reads it.
struct Arrival: Sendable {
    let data: MessageData
    var state: MessageState
    var trouble: ChatControl.SealTrouble?
    /// Still sealed: its content is here already.
    var isUnopened = false

    init(_ opened: OpenedMessage) {
        data = opened.data
        state = opened.isSealed ? .sealed : []
        // Of what cannot be read nobody knows whether it was sealed.
        if opened.isUnexpectedlyClear, !data.isUnreadable { state.insert(.unexpectedlyClear) }
        trouble = opened.trouble ?? (data.isUnreadable ? .unreadable : nil)
    }

    init(known data: MessageData) {
        self.data = data
        state = .sealed
        isUnopened = true
    }
}
