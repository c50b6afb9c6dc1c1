import Accounts
import Chat
import GRDB
import Kernel
import Storage

/// Own messages on their way out.
extension ChatTransaction {
    /// Puts a message into the outbox, and its row at the newest end. One that is known already stays as it is. Source: rule Q4.
    ///
    /// - Parameter position: Its place among all that waits.
    /// - Returns: False for one that is known already.
    func addOutgoing(_ message: OutgoingMessage, at position: Int64) throws -> Bool {
        let record = try conversation(message.conversation)
        var row = MessageRecord(message, from: me)
        guard try reading.message(row.key, in: record) == nil else { return false }
        if record.isSealed { row.state.insert(.sealed) }
        try insert(&row, in: record)
        let body = try JSONValue(encoding: OutgoingRecord(message)).canonicalText
        try database.run(
            """
            INSERT INTO messenger_outbox (message, account, position, body)
            VALUES (\(row.row), \(account), \(position), \(body))
            """
        )
        touch(row)
        // Sent: what was written is no draft any more. Source: rule B21.
        try change(message.conversation) { record in
            guard case .payload(.text) = message.content, record.draft != nil else { return }
            record.draft = nil
            record.isDraftTold = false
        }
        return true
    }

    /// A file is uploaded: no later attempt uploads it again.
    func noteUploaded(_ message: OutgoingMessage) throws {
        guard let waiting = try reading.outgoing(message.id), let (known, _) = try reading.message(row: waiting.row)
        else {
            return
        }
        let body = try JSONValue(encoding: OutgoingRecord(message)).canonicalText
        try database.run("UPDATE messenger_outbox SET body = \(body) WHERE message = \(waiting.row)")
        var row = known
        let payload = message.shownPayload
        (row.contentType, row.element) = (payload.contentType, payload.element)
        try update(row, from: known)
        touch(row)
    }

    /// The hub has the message: its row moves to its place. Source: invariant I6, rule B25.
    ///
    /// - Parameter isSealed: Whether it was sealed on its way; nil where that is not known any more.
    /// - Returns: Its conversation, and whether something before its place is missing here.
    func noteSent(
        _ answer: SendMessageAnswer,
        isSealed: Bool?,
        early: EarlyBook
    ) throws -> (ConversationID, hasGap: Bool)? {
        guard let waiting = try reading.outgoing(answer.clientMessageID),
            let (known, _) = try reading.message(row: waiting.row)
        else { return nil }
        // Its words are in the message's row still, with which they leave the files.
        try database.run("DELETE FROM messenger_outbox WHERE message = \(waiting.row)")
        let id = waiting.message.conversation
        let hasGap = try change(id) { record -> Bool in
            var row = known
            row.status = .success
            row.error = nil
            if !answer.serverMessageID.isEmpty { row.serverID = answer.serverMessageID }
            if answer.sendTime > 0 { row.sendTime = answer.sendTime }
            if let isSealed {
                row.state.remove(.sealed)
                if isSealed { row.state.insert(.sealed) }
            }
            let place = answer.sequence.flatMap { (1...ChatLimits.place).contains($0) ? $0 : nil }
            if let place, row.sequence == nil, try reading.message(at: place, in: record) == nil {
                row.sequence = place
            }
            try update(row, from: known)
            touch(row)
            guard let place else { return false }
            try deleteIfEarly(place, in: record, early: early)
            record.note(newest: place)
            record.preview = max(record.preview, place)
            if record.oldest == nil, place == record.lowest { record.oldest = place }
            guard record.oldest != nil else { return true }
            if place <= record.applied + 1 { try advance(&record, through: max(record.applied, place)) }
            return place > record.applied
        }
        return (id, hasGap)
    }

    /// - Returns: False for a message that is sent already: its echo was quicker than the failure.
    func noteFailed(_ id: String, reason: String) throws -> Bool {
        guard let waiting = try reading.outgoing(id), let (known, _) = try reading.message(row: waiting.row) else {
            return false
        }
        guard known.status != .success else {
            try database.run("DELETE FROM messenger_outbox WHERE message = \(waiting.row)")
            return false
        }
        try database.run("UPDATE messenger_outbox SET isFailed = 1 WHERE message = \(waiting.row)")
        var row = known
        row.status = .failed
        row.error = reason
        try update(row, from: known)
        touch(row)
        try change(waiting.message.conversation) { _ in }
        return true
    }

    /// A failed message is to be sent once more, behind what waits. Source: rule B24.
    ///
    /// - Throws: ``ChatError/unknownMessage``; ``ChatError/illegalStatus(from:to:)`` for one that waits or was sent.
    func noteResent(_ id: String, at position: Int64) throws -> OutgoingMessage {
        guard let waiting = try reading.outgoing(id), let (known, _) = try reading.message(row: waiting.row) else {
            throw ChatError.unknownMessage
        }
        guard waiting.isFailed, known.status == .failed else {
            throw ChatError.illegalStatus(from: known.status, to: .sending)
        }
        try database.run(
            "UPDATE messenger_outbox SET isFailed = 0, position = \(position) WHERE message = \(waiting.row)"
        )
        var row = known
        row.status = .sending
        row.error = nil
        try update(row, from: known)
        touch(row)
        try change(waiting.message.conversation) { _ in }
        return waiting.message
    }

    /// Throws a message away that was not sent.
    ///
    /// - Returns: The message; nil for one that is not in the outbox.
    func discard(_ id: String) throws -> OutgoingMessage? {
        guard let waiting = try reading.outgoing(id), let (known, _) = try reading.message(row: waiting.row),
            known.status != .success
        else { return nil }
        try delete(known)
        try change(waiting.message.conversation) { _ in }
        return waiting.message
    }
}
