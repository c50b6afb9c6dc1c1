import Accounts
import Chat
import Foundation
import GRDB
import Kernel
import Sealing
import Storage

extension LogTransaction {
    /// What is known of a conversation when a message comes.
    private struct Target {
        let row: Int64
        let maxSeq: Int64
        let lastAt: Int64
        let stage: ConversationStage
        let requester: Int64?
        let senderReadSeq: Int64
        let receiveOption: ReceiveOption
        /// Whether neither of the two is gone, nor the sender blocked.
        let isReachable: Bool
    }

    func append(_ draft: MessageDraft, rules: SendRules, at now: Int64) throws -> MessageAck {
        let receiver = try draft.conversation.checkedPeer(of: draft.sender)
        let clientID = CompactID.bytes(draft.clientMessageID)
        let fingerprint = Data(draft.fingerprint)
        let kind = MessageKind(draft.facts.kind)
        let found = try target(draft, receiver)
        let stage: ConversationStage
        do {
            if found?.isReachable != true { try check(draft.sender, mayReach: receiver) }
            try checkLists(of: draft, to: receiver)
            stage = try nextStage(after: found, draft, kind, rules)
        } catch let refusal {
            // A message that is stored stays so, whatever has changed since.
            if let known = try known(draft, clientID, fingerprint) { return known }
            throw refusal
        }
        // The first message of a conversation makes its rows, so its id is looked for before; otherwise the insertion finds out whether it is there.
        if found == nil, let known = try known(draft, clientID, fingerprint) { return known }
        let target = try found ?? made(draft.conversation)
        let (seq, sentAt) = (target.maxSeq + 1, max(now, target.lastAt))
        let serverID = Data(RandomBytes.make(16))
        guard try insert(draft, kind, clientID, serverID, fingerprint, row: target.row, seq: seq, at: sentAt) else {
            guard let known = try known(draft, clientID, fingerprint) else { throw StorageError.damaged }
            return known
        }
        try advance(target, draft, kind, stage, seq: seq, at: sentAt)
        try refer(draft, row: target.row, seq: seq, due: now + rules.flashLifetime)
        if case .flashViewed(let id) = draft.facts.kind {
            try consume(id, sentBy: receiver, row: target.row, in: draft.conversation)
        }
        let message = StoredMessage(
            conversation: draft.conversation,
            seq: seq,
            sender: draft.sender,
            clientMessageID: draft.clientMessageID,
            serverMessageID: Hexadecimal.encode(serverID),
            contentType: draft.contentType,
            content: draft.facts.shownContent ?? draft.content,
            kind: kind,
            sendTime: sentAt,
            state: .kept
        )
        if hasWebhook, kind.isCountable {
            try OutboxTable.add(
                .message,
                lane: target.row,
                seq: seq,
                person: draft.sender,
                at: sentAt,
                in: database
            )
        }
        try tell(message, of: draft, to: receiver, target, stage)
        count(messageAt: sentAt)
        return MessageAck(
            serverMessageID: message.serverMessageID,
            clientMessageID: draft.clientMessageID,
            seq: seq,
            sendTime: sentAt,
            isRepeat: false,
            isRequest: stage == .requested
        )
    }

    /// Tells both people's devices of a message, and closed ones of the receiver.
    private func tell(
        _ message: StoredMessage,
        of draft: MessageDraft,
        to receiver: UserID,
        _ target: Target,
        _ stage: ConversationStage
    ) throws {
        tell(ChatPush(person: receiver, change: .message(message)))
        tell(ChatPush(person: draft.sender, change: .message(message), origin: draft.device))
        if stage == .open, target.stage == .requested || target.stage == .declined {
            for person in [draft.sender, receiver] {
                try record(.requestAccepted(draft.conversation), for: person, in: target.row)
            }
        }
        if message.kind.isCountable, !draft.facts.pushText.isEmpty, target.receiveOption != .reject {
            notify(
                OfflineNotice(
                    person: receiver,
                    sender: draft.sender,
                    conversation: draft.conversation,
                    seq: message.seq,
                    text: draft.facts.pushText,
                    isSealed: draft.contentIsSealed,
                    isSilent: target.receiveOption == .silent,
                    isRequest: stage == .requested
                )
            )
        }
    }

    /// The acknowledgement of the message that is there under the same id (I2).
    private func known(_ draft: MessageDraft, _ clientID: Data, _ fingerprint: Data) throws -> MessageAck? {
        let statement = try database.cachedStatement(
            sql: "SELECT seq, serverID, fingerprint, sentAt FROM chat_message WHERE sender = ? AND clientID = ?"
        )
        guard let row = try Row.fetchOne(statement, arguments: [draft.sender.number, clientID]) else { return nil }
        let kept: Data = row["fingerprint"]
        // A blanked message has none any more: its repeat is taken for what it was.
        guard kept.isEmpty || kept == fingerprint else { throw ChatHubError.duplicateID }
        return MessageAck(
            serverMessageID: Hexadecimal.encode(row["serverID"] as Data),
            clientMessageID: draft.clientMessageID,
            seq: row["seq"],
            sendTime: row["sentAt"],
            isRepeat: true
        )
    }

    private func check(_ sender: UserID, mayReach receiver: UserID) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM chat_block WHERE person = ?1 AND blocked = ?2) AS isBlocked,
                    EXISTS (SELECT 1 FROM chat_person WHERE person IN (?1, ?2) AND deletedAt IS NOT NULL) AS isDeleted
                """
        )
        guard let row = try Row.fetchOne(statement, arguments: [receiver.number, sender.number]) else { return }
        if row["isDeleted"] { throw ChatHubError.personUnknown }
        if row["isBlocked"] { throw ChatHubError.blockedByPeer }
    }

    private func target(_ draft: MessageDraft, _ receiver: UserID) throws -> Target? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT c.id, c.maxSeq, c.lastAt, c.stage, c.requester, s.readSeq, r.receiveOption,
                    EXISTS (SELECT 1 FROM chat_block WHERE person = ?2 AND blocked = ?1)
                    OR EXISTS (SELECT 1 FROM chat_person WHERE person IN (?1, ?2) AND deletedAt IS NOT NULL)
                FROM chat_conversation c
                JOIN chat_member s ON s.person = ?1 AND s.conversation = c.id
                JOIN chat_member r ON r.person = ?2 AND r.conversation = c.id
                WHERE c.low = ?3 AND c.high = ?4
                """
        )
        let (low, high) = draft.conversation.numbers
        let row = try Row.fetchOne(statement, arguments: [draft.sender.number, receiver.number, low, high])
        guard let row else { return nil }
        // By their places: a copied row looks for a name among all of them.
        guard let stage = ConversationStage(rawValue: row[3]) else { throw StorageError.damaged }
        return Target(
            row: row[0],
            maxSeq: row[1],
            lastAt: row[2],
            stage: stage,
            requester: row[4],
            senderReadSeq: row[5],
            receiveOption: ReceiveOption(rawValue: row[6]) ?? .receive,
            isReachable: !(row[7] as Bool)
        )
    }

    private func made(_ conversation: ConversationID) throws -> Target {
        Target(
            row: try makeConversation(conversation),
            maxSeq: 0,
            lastAt: 0,
            stage: .fresh,
            requester: nil,
            senderReadSeq: 0,
            receiveOption: .receive,
            isReachable: true
        )
    }

    /// The stage that the conversation is in with this message.
    ///
    /// - Throws: What keeps a stranger from sending it.
    private func nextStage(
        after target: Target?,
        _ draft: MessageDraft,
        _ kind: MessageKind,
        _ rules: SendRules
    ) throws -> ConversationStage {
        switch target?.stage ?? .fresh {
        case .open: return .open
        case .requested, .declined:
            guard target?.requester != draft.sender.number else { throw ChatHubError.requestPending }
            return .open
        case .fresh:
            guard rules.strangersAsk else { return .open }
            guard kind.mayBegin, draft.facts.objectKeys.isEmpty else { throw ChatHubError.requestNeedsText }
            guard draft.content.count <= rules.requestByteLimit else {
                throw ChatHubError.tooLarge(limit: rules.requestByteLimit)
            }
            guard rules.mayBegin else { throw ChatHubError.tooManyStrangers }
            return .requested
        }
    }

    /// - Returns: False where the sender has a message of this id already: then nothing was written.
    private func insert(
        _ draft: MessageDraft,
        _ kind: MessageKind,
        _ clientID: Data,
        _ serverID: Data,
        _ fingerprint: Data,
        row: Int64,
        seq: Int64,
        at sentAt: Int64
    ) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO chat_message (conversation, seq, sender, clientID, serverID, fingerprint, contentType, kind, content,
                    searchText, sentAt)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sender, clientID) DO NOTHING
                """
        )
        try statement.execute(
            arguments: [
                row, seq, draft.sender.number, clientID, serverID, fingerprint, draft.contentType, kind.rawValue,
                Data(draft.facts.shownContent ?? draft.content), draft.facts.searchText, sentAt,
            ]
        )
        return database.changesCount == 1
    }

    /// The counters of the conversation, and the sender's own cursor where nothing before the message is unread (I7).
    private func advance(
        _ target: Target,
        _ draft: MessageDraft,
        _ kind: MessageKind,
        _ stage: ConversationStage,
        seq: Int64,
        at sentAt: Int64
    ) throws {
        let statement = try database.cachedStatement(
            sql: """
                UPDATE chat_conversation SET maxSeq = ?1, lastAt = ?2, stage = ?3, requester = ?4, \
                previewSeq = CASE ?5 WHEN 1 THEN ?1 ELSE previewSeq END, \
                previewAt = CASE ?5 WHEN 1 THEN ?2 ELSE previewAt END, \
                lowCount = lowCount + ?6, highCount = highCount + ?7 WHERE id = ?8
                """
        )
        let isLow = draft.sender.number == draft.conversation.numbers.low
        let count = kind.isCountable ? 1 : 0
        try statement.execute(
            arguments: [
                seq, sentAt, stage.rawValue, stage == .requested ? draft.sender.number : nil, count,
                isLow ? count : 0, isLow ? 0 : count, target.row,
            ]
        )
        guard target.senderReadSeq == seq - 1 else { return }
        let cursor = try database.cachedStatement(
            sql: """
                UPDATE chat_member SET readSeq = ?1, receivedSeq = max(receivedSeq, ?1) WHERE person = ?2 AND conversation = ?3
                """
        )
        try cursor.execute(arguments: [seq, draft.sender.number, target.row])
    }

    private func refer(_ draft: MessageDraft, row: Int64, seq: Int64, due: Int64) throws {
        for key in Set(draft.facts.objectKeys).sorted() {
            try objects.retain(key, uploadedBy: draft.sender, isViewOnce: false, in: database)
            try database.run("INSERT INTO chat_object VALUES (\(key), \(row), \(seq))")
        }
        guard case .flash(let key) = draft.facts.kind else { return }
        // One message a picture: another's would live on when the first is seen.
        let uses: Int? = try database.value("SELECT 1 FROM chat_flash WHERE objectKey = \(key)")
        guard uses == nil else { throw ChatHubError.unknownObject }
        try objects.retain(key, uploadedBy: draft.sender, isViewOnce: true, in: database)
        try database.run(
            """
            INSERT INTO chat_flash (conversation, seq, stage, objectKey, dueAt)
            VALUES (\(row), \(seq), \(FlashStage.sealed.rawValue), \(key), \(due))
            """
        )
    }

    // MARK: Taking back and deleting

    func recall(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by person: UserID,
        window: Int64?,
        at now: Int64
    ) throws -> StoredMessage {
        let place = try existingPlace(of: person, in: conversation)
        guard let (message, bits) = try LogReading(database).raw(target, at: place), message.kind.isCountable else {
            throw ChatHubError.notFound
        }
        guard message.sender == person else { throw ChatHubError.notYours }
        guard bits & MessageBits.recalled == 0 else { throw ChatHubError.alreadyRecalled }
        if let window, now - message.sendTime > window {
            throw ChatHubError.recallWindowOver(Int(window / 1000))
        }
        if message.kind == .flash { _ = try endFlash(row: place.row, seq: message.seq) }
        try blank(place.row, seq: message.seq, setting: MessageBits.recalled)
        try database.run(
            "UPDATE chat_message SET recalledAt = \(now) WHERE conversation = \(place.row) AND seq = \(message.seq)"
        )
        try uncount(message, at: place)
        if hasWebhook {
            try OutboxTable.add(.recalled, lane: place.row, seq: message.seq, person: person, at: now, in: database)
        }
        let change = ChatChange.recalled(
            conversation,
            seq: message.seq,
            clientMessageID: message.clientMessageID,
            by: person,
            at: now
        )
        for reader in [person, place.peer] where try !isDeleted(reader) {
            try record(change, for: reader, in: place.row)
        }
        // Also where the sender has cleared or deleted it: the peer has it still.
        guard let (recalled, _) = try LogReading(database).raw(.seq(message.seq), at: place) else {
            throw StorageError.damaged
        }
        return recalled
    }

    /// Takes one message of the person out of the counts, and out of what the peer has seen.
    private func uncount(_ message: StoredMessage, at place: MemberPlace) throws {
        if place.person < place.peer {
            try database.run("UPDATE chat_conversation SET lowCount = lowCount - 1 WHERE id = \(place.row)")
        } else {
            try database.run("UPDATE chat_conversation SET highCount = highCount - 1 WHERE id = \(place.row)")
        }
        try database.run(
            """
            UPDATE chat_member SET seenCount = seenCount - 1
            WHERE person = \(place.peer.number) AND conversation = \(place.row) AND readSeq >= \(message.seq)
            """
        )
    }

    func delete(_ seqs: [Int64], in conversation: ConversationID, for person: UserID, at now: Int64) throws {
        let place = try existingPlace(of: person, in: conversation)
        let there = Set(seqs).filter { $0 >= place.minSeq && $0 <= place.maxSeq }.sorted()
        guard !there.isEmpty else { return }
        for seq in there {
            try database.run("INSERT OR IGNORE INTO chat_deletion VALUES (\(person.number), \(place.row), \(seq))")
        }
        try record(.deleted(conversation, seqs: there), for: person, in: place.row)
    }

    func clear(_ conversation: ConversationID, for person: UserID, at now: Int64) throws -> Int64 {
        let place = try existingPlace(of: person, in: conversation)
        let first = place.maxSeq + 1
        guard first > place.minSeq else { return place.minSeq }
        try moveCursor(of: place, to: place.maxSeq)
        try database.run(
            "UPDATE chat_member SET minSeq = \(first) WHERE person = \(person.number) AND conversation = \(place.row)"
        )
        // What lies before the first seq needs no row of its own any more.
        try database.run(
            "DELETE FROM chat_deletion WHERE person = \(person.number) AND conversation = \(place.row) AND seq < \(first)"
        )
        try record(.cleared(conversation, minSeq: first), for: person, in: place.row)
        return first
    }
}
