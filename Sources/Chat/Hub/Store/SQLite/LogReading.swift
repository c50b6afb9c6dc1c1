import Accounts
import Chat
import Foundation
import GRDB
import Kernel
import Storage

/// What is read of the log, within a transaction or beside the writer.
struct LogReading {
    private static let messageColumns = """
        m.seq, m.sender, m.clientID, m.serverID, m.contentType, m.kind, m.content, m.sentAt, m.bits, m.recalledAt
        """

    let database: Database

    init(_ database: Database) { self.database = database }

    func place(of person: UserID, in conversation: ConversationID) throws -> MemberPlace? {
        _ = try conversation.checkedPeer(of: person)
        let (low, high) = conversation.numbers
        // A cursor's row finds a column by its name much faster than a copied one, and is good as long as its cursor.
        let rows = try database.cursor(
            """
            SELECT \(sql: MemberPlace.columns) FROM chat_conversation c
            JOIN chat_member m ON m.person = \(person.number) AND m.conversation = c.id
            WHERE c.low = \(low) AND c.high = \(high)
            """
        )
        return try withExtendedLifetime(rows) {
            try rows.next().map { try MemberPlace($0, conversation, person) }
        }
    }

    func existingPlace(of person: UserID, in conversation: ConversationID) throws -> MemberPlace {
        guard let place = try place(of: person, in: conversation) else { throw ChatHubError.notFound }
        return place
    }

    // MARK: Messages

    /// The message as it is kept, and its bits: also one that the person deleted or cleared.
    func raw(_ target: MessageTarget, at place: MemberPlace) throws -> (StoredMessage, Int)? {
        let row: Row?
        switch target {
        case .seq(let seq):
            row = try database.row(
                """
                SELECT \(sql: Self.messageColumns) FROM chat_message m WHERE m.conversation = \(place.row) AND m.seq = \(seq)
                """
            )
        case .client(let id, let sender):
            row = try database.row(
                """
                SELECT \(sql: Self.messageColumns) FROM chat_message m
                WHERE m.sender = \(sender.number) AND m.clientID = \(CompactID.bytes(id)) AND m.conversation = \(place.row)
                """
            )
        }
        return try row.map { (try message($0, place, isDeleted: false), $0["bits"]) }
    }

    func message(
        _ target: MessageTarget,
        in conversation: ConversationID,
        for person: UserID
    ) throws -> StoredMessage {
        let place = try existingPlace(of: person, in: conversation)
        guard let (message, _) = try raw(target, at: place), message.seq >= place.minSeq else {
            throw ChatHubError.notFound
        }
        let deletion: Int? = try database.value(
            """
            SELECT 1 FROM chat_deletion
            WHERE person = \(person.number) AND conversation = \(place.row) AND seq = \(message.seq)
            """
        )
        guard deletion == nil else { throw ChatHubError.notFound }
        return message
    }

    private func message(_ row: Row, _ place: MemberPlace, isDeleted: Bool) throws -> StoredMessage {
        guard let sender = UserID(row["sender"] as Int64), let kind = MessageKind(rawValue: row["kind"]) else {
            throw StorageError.damaged
        }
        let bits: Int = row["bits"]
        let state: StoredMessage.State =
            if isDeleted {
                .deleted
            } else if bits & MessageBits.recalled != 0 {
                .recalled(at: row["recalledAt"] ?? 0)
            } else if bits & MessageBits.destroyed != 0 {
                .destroyed
            } else if bits & MessageBits.opened != 0 {
                .opened
            } else {
                .kept
            }
        return StoredMessage(
            conversation: place.conversation,
            seq: row["seq"],
            sender: sender,
            clientMessageID: CompactID.text(row["clientID"]),
            serverMessageID: Hexadecimal.encode(row["serverID"] as Data),
            contentType: row["contentType"],
            content: isDeleted ? [] : Array(row["content"] as Data),
            kind: kind,
            sendTime: row["sentAt"],
            state: state
        )
    }

    func messages(
        in conversation: ConversationID,
        for person: UserID,
        range: ClosedRange<Int64>,
        newestFirst: Bool,
        limit: PageLimit
    ) throws -> MessagePage {
        guard let place = try place(of: person, in: conversation) else { return MessagePage(messages: [], isEnd: true) }
        let (first, last) = (max(range.lowerBound, place.minSeq), min(range.upperBound, place.maxSeq))
        guard first <= last, limit.count > 0 else { return MessagePage(messages: [], isEnd: first > last) }
        let cursor = try database.cursor(
            """
            SELECT \(sql: Self.messageColumns), d.seq IS NOT NULL AS isDeleted FROM chat_message m
            LEFT JOIN chat_deletion d ON d.person = \(person.number) AND d.conversation = m.conversation AND d.seq = m.seq
            WHERE m.conversation = \(place.row) AND m.seq >= \(first) AND m.seq <= \(last)
            ORDER BY m.seq \(sql: newestFirst ? "DESC" : "ASC") LIMIT \(limit.count)
            """
        )
        var messages: [StoredMessage] = []
        var bytes = 0
        while let row = try cursor.next() {
            let message = try message(row, place, isDeleted: row["isDeleted"])
            bytes += message.content.count
            guard messages.isEmpty || bytes <= limit.bytes else { break }
            messages.append(message)
        }
        return MessagePage(messages: messages, isEnd: messages.last?.seq == (newestFirst ? first : last))
    }

    func messages(
        in parts: [MessageRange],
        for person: UserID,
        newestFirst: Bool,
        byteLimit: Int
    ) throws -> [MessagePage] {
        var left = byteLimit
        return try parts.map { part in
            guard left > 0 else { return MessagePage(messages: [], isEnd: false) }
            let page = try messages(
                in: part.conversation,
                for: person,
                range: part.seqs,
                newestFirst: newestFirst,
                limit: PageLimit(count: part.count, bytes: left)
            )
            left -= page.messages.reduce(0) { $0 + $1.content.count }
            return page
        }
    }

    /// The newest message with a bubble that the person can see.
    private func lastMessage(at place: MemberPlace) throws -> StoredMessage? {
        guard place.previewSeq >= place.minSeq else { return nil }
        let row = try database.row(
            """
            SELECT \(sql: Self.messageColumns) FROM chat_message m
            WHERE m.conversation = \(place.row) AND m.seq <= \(place.previewSeq) AND m.seq >= \(place.minSeq)
                AND m.kind NOT IN (\(MessageKind.flashViewed.rawValue), \(MessageKind.control.rawValue))
                AND NOT EXISTS (SELECT 1 FROM chat_deletion d
                    WHERE d.person = \(place.person.number) AND d.conversation = m.conversation AND d.seq = m.seq)
            ORDER BY m.seq DESC LIMIT 1
            """
        )
        return try row.map { try message($0, place, isDeleted: false) }
    }

    // MARK: Conversations

    func summary(at place: MemberPlace) throws -> ConversationSummary {
        let facts = try database.row(
            """
            SELECT p.toldReadSeq, p.receivedSeq,
                EXISTS (SELECT 1 FROM chat_block WHERE person = \(place.person.number) AND blocked = \(place.peer.number))
                    AS isBlocked,
                EXISTS (SELECT 1 FROM chat_person WHERE person = \(place.peer.number) AND deletedAt IS NOT NULL) AS isDeleted
            FROM (SELECT 1) LEFT JOIN chat_member p ON p.person = \(place.peer.number) AND p.conversation = \(place.row)
            """
        )
        let message = try lastMessage(at: place)
        let request: ConversationSummary.Request =
            switch place.stage {
            case .requested, .declined: place.requester == place.person ? .outgoing : .incoming
            case .fresh, .open: .none
            }
        return ConversationSummary(
            conversation: place.conversation,
            peer: place.peer,
            seqs: place.seqs,
            peerReadSeq: facts?["toldReadSeq"] ?? 0,
            // Who asks to write does not learn from it that the request was looked at.
            peerReceivedSeq: place.stage == .open ? facts?["receivedSeq"] ?? 0 : 0,
            unread: place.unread,
            settings: place.settings,
            lastMessage: message,
            lastTime: message?.sendTime ?? (place.settings.draft == nil ? 0 : place.draftAt),
            request: request,
            isBlocked: facts?["isBlocked"] ?? false,
            isPeerDeleted: facts?["isDeleted"] ?? false,
            isHidden: !place.isVisible
        )
    }

    /// The person's places in all conversations.
    private func places(of person: UserID) throws -> [MemberPlace] {
        // As in `place(of:in:)`.
        let rows = try database.cursor(
            """
            SELECT \(sql: MemberPlace.columns) FROM chat_member m JOIN chat_conversation c ON c.id = m.conversation
            WHERE m.person = \(person.number) ORDER BY m.conversation DESC
            """
        )
        return try Array(
            rows.map { row in
                guard let conversation = ConversationID(numbers: row) else { throw StorageError.damaged }
                return try MemberPlace(row, conversation, person)
            }
        )
    }

    func conversations(of person: UserID, page: ListPage) throws -> ConversationList {
        let visible = try places(of: person).filter(\.isVisible).map { place in
            (
                place,
                max(
                    place.previewSeq >= place.minSeq ? place.previewAt : 0,
                    place.settings.draft == nil ? 0 : place.draftAt
                )
            )
        }
        let sorted = visible.sorted { one, other in
            if one.0.settings.isPinned != other.0.settings.isPinned { return one.0.settings.isPinned }
            if one.1 != other.1 { return one.1 > other.1 }
            return one.0.conversation.text < other.0.conversation.text
        }
        return ConversationList(
            conversations: try sorted.dropFirst(page.offset).prefix(page.count).map { try summary(at: $0.0) },
            total: sorted.count,
            unreadTotal: sorted.reduce(0) { $0 + $1.0.unread }
        )
    }

    func seqs(of person: UserID) throws -> [ConversationSeqs] {
        try places(of: person).filter { $0.maxSeq > 0 }.map(\.seqs)
    }

    func acquaintances(of person: UserID, among people: [UserID]) throws -> Set<UserID> {
        var known: Set<UserID> = []
        for other in Set(people) {
            guard let conversation = ConversationID(person, other) else { continue }
            let (low, high) = conversation.numbers
            let stage: Int? = try database.value(
                "SELECT stage FROM chat_conversation WHERE low = \(low) AND high = \(high)"
            )
            let block: Int? = try database.value(
                "SELECT 1 FROM chat_block WHERE person = \(other.number) AND blocked = \(person.number)"
            )
            if stage == ConversationStage.open.rawValue, block == nil { known.insert(other) }
        }
        return known
    }

    // MARK: Events, blocks, reports

    func events(of person: UserID, after number: Int64, limit: Int) throws -> EventPage {
        let newest: Int64 =
            try database.value("SELECT useq FROM chat_person WHERE person = \(person.number)") ?? 0
        let oldest: Int64? = try database.value("SELECT min(useq) FROM chat_event WHERE person = \(person.number)")
        guard number >= 0, number <= newest, number >= (oldest ?? newest + 1) - 1 else {
            return EventPage(entries: [], newest: newest, needsResync: true)
        }
        let rows = try database.rows(
            """
            SELECT e.useq, e.kind, e.number, e.other, e.at, e.text, c.low, c.high, m.isPinned, m.receiveOption, m.draft
            FROM chat_event e LEFT JOIN chat_conversation c ON c.id = e.conversation
            LEFT JOIN chat_member m ON m.person = e.person AND m.conversation = e.conversation
            WHERE e.person = \(person.number) AND e.useq > \(number) ORDER BY e.useq LIMIT \(limit)
            """
        )
        let entries = rows.compactMap { row in
            EventRow.change(row).map { EventPage.Entry(number: row["useq"], change: $0) }
        }
        return EventPage(entries: entries, newest: newest, needsResync: false)
    }

    func blocked(by person: UserID) throws -> [UserID] {
        let numbers: [Int64] = try database.values(
            "SELECT blocked FROM chat_block WHERE person = \(person.number) ORDER BY blocked"
        )
        return numbers.compactMap { UserID($0) }
    }

    func reports(after id: Int64?, isOpen: Bool, limit: Int) throws -> [Report] {
        let rows = try database.rows(
            """
            SELECT * FROM chat_report WHERE (closedAt IS NULL) = \(isOpen) AND id < \(id ?? .max) ORDER BY id DESC LIMIT \(limit)
            """
        )
        return rows.compactMap { row in
            guard let conversation = ConversationID(numbers: row), let reported = UserID(row["reported"] as Int64)
            else { return nil }
            return Report(
                id: row["id"],
                reporter: (row["reporter"] as Int64?).flatMap { UserID($0) },
                reported: reported,
                conversation: conversation,
                seq: row["seq"],
                reason: row["reason"],
                content: Array(row["content"] as Data),
                at: row["at"],
                closedAt: row["closedAt"]
            )
        }
    }

    // MARK: Objects

    func flash(of lease: String, person: UserID, device: String, at now: Int64) throws -> LeasedFlash {
        let row = try database.row(
            """
            SELECT f.seq, f.objectKey, f.device, f.dueAt, c.low, c.high, m.sender FROM chat_flash f
            JOIN chat_conversation c ON c.id = f.conversation
            JOIN chat_message m ON m.conversation = f.conversation AND m.seq = f.seq
            WHERE f.lease = \(LogTransaction.leaseHash(lease)) AND f.stage = \(FlashStage.opened.rawValue)
            """
        )
        guard let row, let conversation = ConversationID(numbers: row), row["device"] == device, row["dueAt"] > now,
            let sender = UserID(row["sender"] as Int64), conversation.peer(of: sender) == person,
            let key: String = row["objectKey"]
        else { throw ChatHubError.alreadyViewed }
        return LeasedFlash(conversation: conversation, seq: row["seq"], objectKey: key)
    }

    func access(to objectKey: String, of person: UserID) throws -> ObjectAccess {
        let flash: Int? = try database.value("SELECT 1 FROM chat_flash WHERE objectKey = \(objectKey)")
        guard flash == nil else { return .viewOnce }
        let visible: Int? = try database.value(
            """
            SELECT 1 FROM chat_object o JOIN chat_member m ON m.conversation = o.conversation AND m.person = \(person.number)
            WHERE o.objectKey = \(objectKey) AND o.seq >= m.minSeq AND NOT EXISTS (SELECT 1 FROM chat_deletion d
                WHERE d.person = m.person AND d.conversation = o.conversation AND d.seq = o.seq)
            LIMIT 1
            """
        )
        return visible == nil ? .unreferenced : .allowed
    }

    // MARK: Search

    func search(
        _ words: SearchQuery,
        in conversation: ConversationID?,
        for person: UserID,
        from start: SearchPlace?,
        limit: SearchLimit
    ) throws -> SearchPage {
        let all = try conversation.map { try place(of: person, in: $0).map { [$0] } ?? [] } ?? places(of: person)
        let begin = start.flatMap { start in all.firstIndex { $0.conversation == start.conversation } } ?? 0
        var hits: [StoredMessage] = []
        var scanned = 0
        for place in all.dropFirst(begin) {
            let first = start?.conversation == place.conversation ? start?.beforeSeq : nil
            let before = try search(words, at: place, before: first ?? .max, limit, &hits, &scanned)
            if let before {
                return SearchPage(
                    hits: hits,
                    next: SearchPlace(conversation: place.conversation, beforeSeq: before)
                )
            }
        }
        return SearchPage(hits: hits, next: nil)
    }

    /// - Returns: The seq before which to go on; nil at the end of the conversation.
    private func search(
        _ words: SearchQuery,
        at place: MemberPlace,
        before seq: Int64,
        _ limit: SearchLimit,
        _ hits: inout [StoredMessage],
        _ scanned: inout Int
    ) throws -> Int64? {
        let cursor = try database.cursor(
            """
            SELECT \(sql: Self.messageColumns), coalesce(CAST(m.searchText AS BLOB),
                CASE m.kind WHEN \(MessageKind.text.rawValue) THEN m.content END) AS words
            FROM chat_message m WHERE m.conversation = \(place.row) AND m.seq < \(seq) AND m.seq >= \(place.minSeq)
                AND NOT EXISTS (SELECT 1 FROM chat_deletion d
                    WHERE d.person = \(place.person.number) AND d.conversation = m.conversation AND d.seq = m.seq)
            ORDER BY m.seq DESC
            """
        )
        while let row = try cursor.next() {
            let here: Int64 = row["seq"]
            guard scanned < limit.scanned, hits.count < limit.hits else { return here + 1 }
            scanned += 1
            guard let text: Data = row["words"], !text.isEmpty, words.matches(Array(text)) else { continue }
            hits.append(try message(row, place, isDeleted: false))
        }
        return nil
    }
}

extension [UInt8] {
    /// The bytes as a value of SQLite.
    var databaseData: Data { Data(self) }
}
