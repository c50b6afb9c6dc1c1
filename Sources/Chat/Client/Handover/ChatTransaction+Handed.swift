import Accounts
import Chat
import ChatSealing
import GRDB
import Kernel
import Storage

/// What another device of the account handed over, beside what the hub says: the hub's word on a message's place and state comes first always.
extension ChatTransaction {
    /// Takes a page that another device of the account handed over. A message that is here and was sealed for others is filled in; the words of one that
    /// is not here yet wait for it.
    func take(_ page: HandoverPage, early: EarlyBook) throws {
        for message in page.messages where message.conversation.peer(of: me) != nil {
            let record = try conversation(message.conversation)
            // Cleared here: it was never wanted back.
            guard message.sequence >= record.lowest else { continue }
            let key = MessageKey(sender: message.sender, clientMessageID: message.clientMessageID)
            if let known = try reading.message(key, in: record) {
                try fillIn(known, with: message)
            } else if try reading.message(at: message.sequence, in: record) == nil,
                !early.hasRecalled(key, at: message.sequence, in: record.id)
            {
                try keep(message, in: record)
            }
        }
    }

    private func fillIn(_ known: MessageRecord, with message: HandoverPage.Message) throws {
        guard known.canBeFilledIn, known.sequence == message.sequence else { return }
        var row = known
        (row.contentType, row.element) = (message.payload.contentType, message.payload.element)
        row.trouble = nil
        try update(row, from: known)
        touch(row)
        note(try conversation(message.conversation))
    }

    private func keep(_ message: HandoverPage.Message, in record: ConversationRecord) throws {
        try database.run(
            """
            INSERT OR IGNORE INTO messenger_handed (conversation, sender, clientID, seq, contentType, content)
            VALUES (\(record.row), \(message.sender.number), \(message.clientMessageID), \(message.sequence),
                \(message.payload.contentType.rawValue), \(message.payload.element.canonicalText))
            """
        )
    }

    /// Fills in a message that came from the hub, where its words wait; they wait no longer, whatever became of it.
    func useHanded(for message: inout MessageRecord, in record: ConversationRecord) throws {
        let row = try database.row(
            """
            SELECT seq, contentType, content FROM messenger_handed WHERE conversation = \(record.row)
                AND sender = \(message.key.sender.number) AND clientID = \(message.key.clientMessageID)
            """
        )
        guard let row else { return }
        try forgetHanded(message.key, in: record)
        guard message.canBeFilledIn, message.sequence == row["seq"],
            let element = try? JSONValue(parsing: (row["content"] as String).utf8)
        else { return }
        (message.contentType, message.element) = (ContentType(rawValue: row["contentType"]), element)
        message.trouble = nil
    }

    func forgetHanded(_ key: MessageKey, in record: ConversationRecord) throws {
        try database.run(
            """
            DELETE FROM messenger_handed WHERE conversation = \(record.row) AND sender = \(key.sender.number)
                AND clientID = \(key.clientMessageID)
            """
        )
        try noteForgotten()
    }

    func forgetHanded(at place: Int64, in record: ConversationRecord) throws {
        try database.run("DELETE FROM messenger_handed WHERE conversation = \(record.row) AND seq = \(place)")
        try noteForgotten()
    }

    func forgetHanded(before place: Int64, in record: ConversationRecord) throws {
        try database.run("DELETE FROM messenger_handed WHERE conversation = \(record.row) AND seq < \(place)")
        try noteForgotten()
    }

    private func noteForgotten() throws {
        if database.changesCount > 0 { try noteRemains(ChatStore.Remains.log) }
    }
}

extension MessageRecord {
    /// Whether it is a sealed message of which this device lacks the key alone. One whose signature or list did not hold stays closed: another device
    /// says what was inside, not that it was right.
    fileprivate var canBeFilledIn: Bool {
        (trouble == .otherDevice || trouble == .keyGone)
            && state.isDisjoint(with: [.recalled, .destroyed, .deleted, .control])
    }
}
