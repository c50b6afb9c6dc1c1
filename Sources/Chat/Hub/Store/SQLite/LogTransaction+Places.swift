import Accounts
import Chat
import GRDB
import Storage

/// Where people stand in their conversations.
extension LogTransaction {
    /// Moves the read cursor, and counts what it passed (I7). To the end this is one subtraction; otherwise each message is counted once.
    func moveCursor(of place: MemberPlace, to seq: Int64) throws {
        guard seq > place.readSeq else { return }
        let seen: Int64
        if seq == place.maxSeq {
            seen = place.peerCount
        } else {
            let passed: Int64? = try database.value(
                """
                SELECT count(*) FROM chat_message WHERE conversation = \(place.row) AND seq > \(place.readSeq) AND seq <= \(seq)
                AND sender = \(place.peer.number) AND bits & \(MessageBits.recalled) = 0
                AND kind NOT IN (\(MessageKind.flashViewed.rawValue), \(MessageKind.control.rawValue))
                """
            )
            seen = place.seenCount + (passed ?? 0)
        }
        try database.run(
            """
            UPDATE chat_member SET readSeq = \(seq), seenCount = \(seen), receivedSeq = max(receivedSeq, \(seq))
            WHERE person = \(place.person.number) AND conversation = \(place.row)
            """
        )
    }

    func read(
        _ conversation: ConversationID,
        by person: UserID,
        upTo seq: Int64,
        tellsPeer: Bool,
        origin: String?,
        at now: Int64
    ) throws -> Int64 {
        let place = try existingPlace(of: person, in: conversation)
        let end = max(place.readSeq, min(seq, place.maxSeq))
        if end > place.readSeq {
            try moveCursor(of: place, to: end)
            try record(.read(conversation, upTo: end), for: person, in: place.row, origin: origin)
        }
        // A stranger is not told that the request was looked at.
        if tellsPeer, place.stage == .open, end > place.toldReadSeq, try !isDeleted(place.peer) {
            try database.run(
                """
                UPDATE chat_member SET toldReadSeq = \(end) WHERE person = \(person.number) AND conversation = \(place.row)
                """
            )
            try record(.peerRead(conversation, upTo: end), for: place.peer, in: place.row)
        }
        return end
    }

    func receive(_ conversation: ConversationID, by person: UserID, upTo seq: Int64, tellsPeer: Bool) throws -> Int64 {
        let place = try existingPlace(of: person, in: conversation)
        let end = max(place.receivedSeq, min(seq, place.maxSeq))
        guard end > place.receivedSeq else { return end }
        try database.run(
            "UPDATE chat_member SET receivedSeq = \(end) WHERE person = \(person.number) AND conversation = \(place.row)"
        )
        if tellsPeer, place.stage == .open {
            tell(ChatPush(person: place.peer, change: .peerReceived(conversation, upTo: end)))
        }
        return end
    }

    func change(
        _ change: SettingsChange,
        of conversation: ConversationID,
        for person: UserID,
        origin: String?,
        at now: Int64
    ) throws -> MemberSettings {
        var settings: MemberSettings
        let row: Int64
        var draftAt: Int64 = 0
        if let place = try place(of: person, in: conversation) {
            (settings, row, draftAt) = (place.settings, place.row, place.draftAt)
        } else {
            // A draft or a pin may come before the first message.
            let peer = try conversation.checkedPeer(of: person)
            for one in [person, peer] where try isDeleted(one) { throw ChatHubError.personUnknown }
            (settings, row) = (MemberSettings(), try makeConversation(conversation))
        }
        let before = settings
        if let isPinned = change.isPinned { settings.isPinned = isPinned }
        if let option = change.receiveOption { settings.receiveOption = option }
        if let draft = change.draft {
            settings.draft = draft.allSatisfy(\.isWhitespace) ? nil : draft
            if settings.draft != before.draft {
                draftAt = now
                if before.draft != nil { markBlanked() }
            }
        }
        guard settings != before else { return settings }
        try database.run(
            """
            UPDATE chat_member SET isPinned = \(settings.isPinned), receiveOption = \(settings.receiveOption.rawValue),
                draft = \(settings.draft), draftAt = \(draftAt)
            WHERE person = \(person.number) AND conversation = \(row)
            """
        )
        try record(.settings(conversation, settings), for: person, in: row, origin: origin)
        return settings
    }

    func hide(_ conversation: ConversationID, for person: UserID, at now: Int64) throws {
        let place = try existingPlace(of: person, in: conversation)
        try moveCursor(of: place, to: place.maxSeq)
        try database.run(
            """
            UPDATE chat_member SET hiddenUpTo = \(place.maxSeq), isPinned = 0, draft = NULL
            WHERE person = \(person.number) AND conversation = \(place.row)
            """
        )
        if place.settings.draft != nil { markBlanked() }
        try record(.hidden(conversation, upTo: place.maxSeq), for: person, in: place.row)
    }

    func answerRequest(_ conversation: ConversationID, by person: UserID, accepts: Bool, at now: Int64) throws {
        let place = try existingPlace(of: person, in: conversation)
        // The requester cannot answer for the other one; an answer that is repeated changes nothing.
        guard place.requester == place.peer else {
            if accepts, place.stage == .open { return }
            throw ChatHubError.notFound
        }
        let stage = accepts ? ConversationStage.open : .declined
        let requester = accepts ? nil : place.peer.number
        try database.run(
            "UPDATE chat_conversation SET stage = \(stage.rawValue), requester = \(requester) WHERE id = \(place.row)"
        )
        if accepts {
            for one in [person, place.peer] { try record(.requestAccepted(conversation), for: one, in: place.row) }
        } else {
            try moveCursor(of: place, to: place.maxSeq)
            try database.run(
                """
                UPDATE chat_member SET hiddenUpTo = \(place.maxSeq)
                WHERE person = \(person.number) AND conversation = \(place.row)
                """
            )
            try record(.requestDeclined(conversation), for: person, in: place.row)
        }
    }

    // MARK: Blocks and reports

    func block(_ other: UserID, by person: UserID, limit: Int, at now: Int64) throws {
        guard other != person else { throw ChatHubError.malformed("blackUserID") }
        let count: Int? = try database.value("SELECT count(*) FROM chat_block WHERE person = \(person.number)")
        guard (count ?? 0) < limit else { throw ChatHubError.limitReached(limit) }
        try database.run("INSERT OR IGNORE INTO chat_block VALUES (\(person.number), \(other.number), \(now))")
        if database.changesCount > 0 { try record(.blocked(other), for: person, in: nil) }
    }

    func unblock(_ other: UserID, by person: UserID, at now: Int64) throws {
        try database.run("DELETE FROM chat_block WHERE person = \(person.number) AND blocked = \(other.number)")
        if database.changesCount > 0 { try record(.unblocked(other), for: person, in: nil) }
    }

    func report(
        _ target: MessageTarget?,
        in conversation: ConversationID,
        by person: UserID,
        reason: String,
        limit: Int,
        at now: Int64
    ) throws -> Int64 {
        let place = try existingPlace(of: person, in: conversation)
        let open: Int? = try database.value(
            "SELECT count(*) FROM chat_report WHERE reporter = \(person.number) AND closedAt IS NULL"
        )
        guard (open ?? 0) < limit else { throw ChatHubError.limitReached(limit) }
        var message: StoredMessage?
        if let target {
            let found = try LogReading(database).message(target, in: conversation, for: person)
            guard found.sender == place.peer else { throw ChatHubError.notFound }
            message = found
        }
        let content = message.map { $0.kind == .flash ? [] : $0.content } ?? []
        let (low, high) = conversation.numbers
        try database.run(
            """
            INSERT INTO chat_report (reporter, reported, low, high, seq, reason, content, at)
            VALUES (\(person.number), \(place.peer.number), \(low), \(high), \(message?.seq), \(reason), \
            \(content.databaseData), \(now))
            """
        )
        return database.lastInsertedRowID
    }

    func closeReport(_ id: Int64, at now: Int64) throws {
        try database.run("UPDATE chat_report SET closedAt = \(now) WHERE id = \(id) AND closedAt IS NULL")
        guard database.changesCount > 0 else { throw ChatHubError.notFound }
    }
}
