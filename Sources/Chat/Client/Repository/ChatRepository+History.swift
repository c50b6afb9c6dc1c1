import Accounts
public import Chat
import Kernel

/// Pages of history: from this device, and older ones from the hub. Source: rules C1, B10.
extension ChatRepository {
    /// A page, the newest message first.
    struct StoredPage: Sendable {
        var records: [MessageRecord]
        /// Own messages that wait, in their order; of the newest page alone.
        var waiting: [MessageRecord]
        /// Nothing is older.
        var isEnd: Bool
        /// The places that the page says something about; nil for none.
        var covered: ClosedRange<Int64>?
    }

    /// - Parameters:
    ///   - before: Only messages before this place; nil for the newest page.
    ///   - limit: 1 to 200.
    /// - Throws: ``ChatError`` where nothing of the page is here and the hub is not reached.
    func page(of id: ConversationID, before: Int64?, limit: Int) async throws -> StoredPage {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        // Each turn has more of it here, down to the beginning.
        while true {
            let found = try await stored.read { reading -> (ConversationRecord?, StoredPage) in
                guard let record = try reading.conversation(id) else {
                    return (nil, StoredPage(records: [], waiting: [], isEnd: true, covered: nil))
                }
                return (record, try Self.page(of: record, before: before, limit: limit, in: reading))
            }
            guard let record = found.0 else { return found.1 }
            let isWhole = found.1.isEnd || found.1.records.count >= limit
            if isWhole { return found.1 }
            do {
                let isMore = try await reachBack(record)
                // The hub has nothing to say of it: what is here is shown, and asked for again with the next page.
                if !isMore { return try await fallback(id, before: before, limit: limit) }
            } catch let error as ChatError {
                let page = try await fallback(id, before: before, limit: limit)
                guard page.records.isEmpty, page.waiting.isEmpty || before != nil else { return page }
                throw error
            }
        }
    }

    private static func page(
        of record: ConversationRecord,
        before: Int64?,
        limit: Int,
        in reading: ChatReading
    ) throws -> StoredPage {
        let waiting = before == nil ? try reading.waiting(in: record) : []
        // Nothing was ever written, or all of it was cleared.
        guard record.newest >= record.lowest else {
            return StoredPage(records: [], waiting: waiting, isEnd: true, covered: nil)
        }
        guard let oldest = record.oldest else {
            return StoredPage(records: [], waiting: waiting, isEnd: false, covered: nil)
        }
        let first = max(oldest, record.lowest)
        let last = min(before.map { $0 - 1 } ?? record.applied, record.applied)
        guard first <= last else {
            return StoredPage(records: [], waiting: waiting, isEnd: oldest <= record.lowest, covered: nil)
        }
        let found = try reading.messages(in: record, first...last, limit: limit + 1)
        let records = Array(found.prefix(limit))
        let isRest = found.count <= limit
        return StoredPage(
            records: records,
            waiting: waiting,
            isEnd: isRest && oldest <= record.lowest,
            covered: (isRest ? first : records.last?.sequence ?? first)...last
        )
    }

    /// Has more of a conversation here.
    ///
    /// - Returns: False where nothing came.
    private func reachBack(_ record: ConversationRecord) async throws -> Bool {
        guard record.oldest == nil else { return try await pullOlder(record) }
        due.loads.insert(record.id)
        try await load()
        poke()
        return try await stored.read { try $0.conversation(record.id)?.oldest != nil }
    }

    /// What is here without being known to be whole: better than nothing while the hub is not reached.
    private func fallback(_ id: ConversationID, before: Int64?, limit: Int) async throws -> StoredPage {
        try await stored.read { reading in
            guard let record = try reading.conversation(id) else {
                return StoredPage(records: [], waiting: [], isEnd: true, covered: nil)
            }
            let range = record.lowest...max(record.lowest, before.map { $0 - 1 } ?? .max - 1)
            return StoredPage(
                records: before ?? .max <= record.lowest ? [] : try reading.messages(in: record, range, limit: limit),
                waiting: before == nil ? try reading.waiting(in: record) : [],
                isEnd: false,
                covered: nil
            )
        }
    }

    // MARK: Control

    /// A page for commands and pages, the oldest message first; own messages that wait are at the end of the newest one.
    public func history(
        of id: ConversationID,
        before: Int64? = nil,
        limit: Int = ChatLimits.page
    ) async throws -> ChatControl.Page {
        let page = try await page(of: id, before: before, limit: min(max(1, limit), 200))
        return ChatControl.Page(
            messages: (page.records.reversed() + page.waiting).map { feed.entry($0) },
            notices: try await notices(of: id, before: before, page).map(ChatEntries.notice),
            isEnd: page.isEnd
        )
    }

    /// The lines that stand behind the messages of a page, and before those of the next newer one.
    private func notices(of id: ConversationID, before: Int64?, _ page: StoredPage) async throws -> [NoticeRecord] {
        let last = before.map { $0 - 1 } ?? .max
        guard let first = page.isEnd ? 0 : page.records.last?.sequence, first <= last else { return [] }
        return try await stored.read { reading in
            guard let record = try reading.conversation(id) else { return [] }
            return try reading.notices(in: record, behind: first...last, limit: ChatLimits.pull)
        }
    }

    /// - Throws: ``ChatError/unknownMessage``.
    func record(_ id: String, in conversation: ConversationID) async throws -> MessageRecord {
        let found = try await stored.read { reading -> MessageRecord? in
            guard let record = try reading.conversation(conversation) else { return nil }
            return try reading.message(id, in: record)
        }
        guard let found, found.isShown else { throw ChatError.unknownMessage }
        return found
    }

    /// A message of this device as commands and pages are shown it.
    ///
    /// - Throws: ``ChatError/unknownMessage``.
    public func message(_ id: String, in conversation: ConversationID) async throws -> ChatControl.MessageEntry {
        feed.entry(try await record(id, in: conversation))
    }

    /// A message with its objects.
    ///
    /// - Throws: ``ChatError/unknownMessage``.
    public func media(_ id: String, in conversation: ConversationID) async throws -> MessageMedia {
        let record = try await record(id, in: conversation)
        var outgoing: OutgoingMedia?
        if record.key.sender == me, case .media(let files) = ledger.message(id)?.content { outgoing = files }
        return MessageMedia(
            conversation: conversation,
            message: record.message(for: me),
            payload: record.payload,
            isSealed: record.state.contains(.sealed),
            outgoing: outgoing
        )
    }

    /// The picture of a message was opened here: its card says so at once. The hub tells the other devices.
    public func noteFlashOpened(_ id: String, in conversation: ConversationID) async throws {
        guard let peer = conversation.peer(of: me) else { throw ChatError.notYours }
        let key = MessageKey(sender: peer, clientMessageID: id)
        try await stored.write { [early] transaction in
            try transaction.change(conversation) { try transaction.destroy(key, in: $0, early: early) }
        }
    }

    /// The names of the files that the outbox needs, for whoever sweeps its folder at the start.
    public func outboxFiles() async throws -> Set<String> {
        let waiting = try await stored.read { try $0.outbox() }
        return Set(
            waiting.flatMap { one -> [String] in
                if case .media(let media) = one.message.content { media.files.map(\.source) } else { [] }
            }
        )
    }
}
