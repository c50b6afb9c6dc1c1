package import Accounts
package import Chat
package import GRDB
package import Kernel
package import Logging
import Metrics
import Storage
import Synchronization

/// The conversations of a hub: the rules around the log, and what goes out after its commits. Routes call it and know no table.
package final class ChatService: Sendable {
    /// What the service asks of the rest of the hub.
    package struct Dependencies: Sendable {
        /// Whether a person has an account here.
        package var isAccount: @Sendable (UserID) async throws -> Bool
        /// Tells closed devices of a message. Must not wait.
        package var notify: @Sendable (OfflineNotice) -> Void
        /// Removes the files of objects that nothing refers to any more. Called after the commit; must not wait.
        package var release: @Sendable ([String]) -> Void
        /// Something happened that an app's backend may be told. Must not wait.
        package var happened: @Sendable () -> Void
        package var time: any TimeSource
        package var logger: Logger

        package init(
            isAccount: @escaping @Sendable (UserID) async throws -> Bool,
            notify: @escaping @Sendable (OfflineNotice) -> Void = { _ in },
            release: @escaping @Sendable ([String]) -> Void = { _ in },
            happened: @escaping @Sendable () -> Void = {},
            time: any TimeSource,
            logger: Logger
        ) {
            self.isAccount = isAccount
            self.notify = notify
            self.release = release
            self.happened = happened
            self.time = time
            self.logger = logger
        }
    }

    /// Conversations that are known to exist, of which the accounts need not be asked again.
    private static let knownLimit = 10_000

    package let log: any MessageLog
    package let connections: ChatConnections
    package let settings: ChatHubSettings
    let dependencies: Dependencies
    let care: ChatCare
    private let messages: SendingLimits
    private let strangers: SendingLimits
    let typings: SendingLimits
    let chatKeys: SendingLimits
    let lists: SendingLimits
    let fetches = Mutex(FlashFetches())
    private let known = Mutex<Set<ConversationID>>([])
    // Made once: to look one up by its name takes a lock and a dictionary, for each message.
    private let storedCount = Counter(label: "chat_messages_stored")
    private let repeatedCount = Counter(label: "chat_messages_repeated")
    private let storeTime = Timer(label: "chat_store")

    /// A service over a log in SQLite.
    ///
    /// - Parameter database: As of ``SQLiteMessageLog/init(_:objects:told:)``.
    package convenience init(
        _ database: any DatabaseWriter,
        objects: any ObjectReferences,
        settings: ChatHubSettings = ChatHubSettings(),
        dependencies: Dependencies
    ) throws {
        try self.init(settings: settings, dependencies: dependencies) { told in
            try SQLiteMessageLog(database, objects: objects, hasWebhook: settings.webhook != nil, told: told)
        }
    }

    /// - Parameter makeLog: Makes the log, which tells what its commits brought.
    package init(
        settings: ChatHubSettings,
        dependencies: Dependencies,
        makeLog: (_ told: @escaping @Sendable (LogNews) -> Void) throws -> any MessageLog
    ) rethrows {
        let connections = ChatConnections()
        let care = ChatCare()
        self.connections = connections
        self.care = care
        self.settings = settings
        self.dependencies = dependencies
        messages = SendingLimits(burst: settings.messageBurst, perSecond: settings.messagesPerSecond)
        strangers = SendingLimits(burst: settings.strangerBurst, perSecond: settings.strangersPerHour / 3600)
        // A typing mark is shown for a few seconds, so a few in ten seconds are enough.
        typings = SendingLimits(burst: 5, perSecond: 0.5)
        // A device publishes a key each week, and all of an account's anew when one of them goes.
        chatKeys = SendingLimits(burst: 20, perSecond: 20.0 / 3600)
        lists = SendingLimits(burst: 10, perSecond: 10.0 / 3600)
        log = try makeLog { news in
            connections.deliver(news.pushes)
            for notice in news.notices { dependencies.notify(notice) }
            if !news.releasedObjects.isEmpty { dependencies.release(news.releasedObjects) }
            care.look(at: news)
            dependencies.happened()
        }
    }

    var now: Int64 { dependencies.time.date.millisecondsSince1970 }

    // MARK: Messages

    /// Sends a message: it is on disk when this returns (I3). A repeat of the same message gets the first one's acknowledgement.
    ///
    /// - Throws: ``ChatHubError``, `StorageError`.
    package func send(
        _ facts: MessageFacts,
        contentType: Int32,
        content: [UInt8],
        clientMessageID: String,
        to conversation: ConversationID,
        by asker: ChatAsker
    ) async throws -> MessageAck {
        let peer = try conversation.checkedPeer(of: asker.person)
        let outgoing = try prepared(facts, contentType, content, clientMessageID, to: conversation, by: asker)
        if !isKnown(conversation), try await !dependencies.isAccount(peer) { throw ChatHubError.personUnknown }
        return try await withCheckedThrowingContinuation { waiter in store(outgoing) { waiter.resume(with: $0) } }
    }

    /// Begins to send a message in a conversation in which one was sent before, for callers that have more of them: as
    /// ``send(_:contentType:content:clientMessageID:to:by:)``, without waiting. Messages are stored in the order of these calls.
    ///
    /// - Parameter done: As of ``MessageLog/submit(_:rules:at:done:)``.
    /// - Returns: False where the accounts have to be asked first: then nothing has happened, and sending is the way.
    /// - Throws: ``ChatHubError`` for a message that is refused before it comes to the disk; then `done` is not called.
    package func begin(
        _ facts: MessageFacts,
        contentType: Int32,
        content: [UInt8],
        clientMessageID: String,
        to conversation: ConversationID,
        by asker: ChatAsker,
        done: @escaping @Sendable (Result<MessageAck, any Error>) -> Void
    ) throws -> Bool {
        guard isKnown(conversation) else { return false }
        store(try prepared(facts, contentType, content, clientMessageID, to: conversation, by: asker), done)
        return true
    }

    private func isKnown(_ conversation: ConversationID) -> Bool { known.withLock { $0.contains(conversation) } }

    /// A message that passed everything that is asked before the disk.
    private struct Prepared: Sendable {
        let draft: MessageDraft
        let rules: SendRules
        let ticks: UInt64
    }

    /// Checks a message and counts it.
    private func prepared(
        _ facts: MessageFacts,
        _ contentType: Int32,
        _ content: [UInt8],
        _ clientMessageID: String,
        to conversation: ConversationID,
        by asker: ChatAsker
    ) throws -> Prepared {
        _ = try conversation.checkedPeer(of: asker.person)
        try Self.check(facts, content: content, clientMessageID: clientMessageID)
        let ticks = dependencies.time.ticks
        if let wait = messages.take(asker.person, ticks: ticks) { throw ChatHubError.tooFast(milliseconds: wait) }
        var rules = SendRules()
        rules.strangersAsk = settings.strangersAsk
        rules.mayBegin = strangers.mayTake(asker.person, ticks: ticks)
        rules.flashLifetime = settings.flashLifetime.milliseconds
        let draft = MessageDraft(
            conversation: conversation,
            sender: asker.person,
            device: asker.device,
            clientMessageID: clientMessageID,
            contentType: contentType,
            content: content,
            facts: facts.cut
        )
        return Prepared(draft: draft, rules: rules, ticks: ticks)
    }

    private func store(_ outgoing: Prepared, _ done: @escaping @Sendable (Result<MessageAck, any Error>) -> Void) {
        let start = dependencies.time.ticks
        log.submit(outgoing.draft, rules: outgoing.rules, at: now) { [self] result in
            // The time until the message is on the disk, or refused.
            storeTime.recordNanoseconds(Int64(clamping: dependencies.time.ticks &- start))
            if case .success(let ack) = result { note(ack, of: outgoing) }
            done(result)
        }
    }

    private func note(_ ack: MessageAck, of outgoing: Prepared) {
        (ack.isRepeat ? repeatedCount : storedCount).increment()
        if ack.isRequest { strangers.spend(outgoing.draft.sender, ticks: outgoing.ticks) }
        known.withLock { known in
            if known.count >= Self.knownLimit { known = [] }
            known.insert(outgoing.draft.conversation)
        }
    }

    private static func check(_ facts: MessageFacts, content: [UInt8], clientMessageID: String) throws(ChatHubError) {
        let id = clientMessageID.utf8
        guard (1...ChatHubLimits.clientIDBytes).contains(id.count), id.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformed("clientMsgId")
        }
        let limit = facts.kind == .sealed ? ChatHubLimits.sealedBytes : ChatHubLimits.contentBytes
        let shown = facts.shownContent ?? []
        guard content.count <= limit, shown.count <= limit, (facts.searchText?.utf8.count ?? 0) <= limit else {
            throw .tooLarge(limit: limit)
        }
        var keys = facts.objectKeys
        if case .flash(let key) = facts.kind {
            keys.append(key)
            // Nobody learns the key from the log: what readers get must not hold it.
            guard facts.shownContent != nil, !String(decoding: shown, as: UTF8.self).contains(key),
                facts.objectKeys.isEmpty
            else { throw .malformed("content") }
        }
        guard keys.count <= ChatHubLimits.objects,
            keys.allSatisfy({ (1...ChatHubLimits.objectKeyBytes).contains($0.utf8.count) })
        else { throw .malformed("objectKey") }
    }

    /// Takes back an own message, within ``ChatHubSettings/recallWindow``.
    package func recall(
        _ target: MessageTarget,
        in conversation: ConversationID,
        by asker: ChatAsker
    ) async throws -> StoredMessage {
        try await log.recall(
            target,
            in: conversation,
            by: asker.person,
            window: settings.recallWindow?.milliseconds,
            at: now
        )
    }

    /// Deletes messages for this person alone. At most ``ChatHubLimits/page``.
    package func delete(_ seqs: [Int64], in conversation: ConversationID, by asker: ChatAsker) async throws {
        guard seqs.count <= ChatHubLimits.page else { throw ChatHubError.limitReached(ChatHubLimits.page) }
        try await log.delete(seqs, in: conversation, for: asker.person, at: now)
    }

    /// Hides all history from this person alone.
    ///
    /// - Returns: The new first seq.
    package func clear(_ conversation: ConversationID, by asker: ChatAsker) async throws -> Int64 {
        try await log.clear(conversation, for: asker.person, at: now)
    }

    /// A page of history below a seq, newest first.
    ///
    /// - Parameter before: Nil for the newest page.
    package func history(
        of conversation: ConversationID,
        before: Int64?,
        count: Int = 40,
        for asker: ChatAsker
    ) async throws -> MessagePage {
        guard before.map({ $0 > 1 }) ?? true else { return MessagePage(messages: [], isEnd: true) }
        return try await log.messages(
            in: conversation,
            for: asker.person,
            range: 1...(before.map { $0 - 1 } ?? .max),
            newestFirst: true,
            limit: PageLimit(count: min(max(1, count), ChatHubLimits.page))
        )
    }

    /// A part of a conversation that a device asks for.
    package struct PullRange: Hashable, Sendable {
        package let conversation: ConversationID
        /// The seqs of both ends. From 1.
        package let begin: Int64
        package let end: Int64
        /// Messages at most; nil or 0 for as many as one answer takes.
        package let count: Int?

        package init(_ conversation: ConversationID, begin: Int64, end: Int64, count: Int? = nil) {
            self.conversation = conversation
            self.begin = begin
            self.end = end
            self.count = count
        }
    }

    /// The parts in the order in which they were asked for. One for which the answer had no room is empty and has no end.
    package func pull(_ ranges: [PullRange], newestFirst: Bool, for asker: ChatAsker) async throws -> [MessagePage] {
        guard ranges.count <= ChatHubLimits.conversations else {
            throw ChatHubError.limitReached(ChatHubLimits.conversations)
        }
        // One that holds nothing keeps its place, and is not asked for.
        let wanted = ranges.map { range -> MessageRange? in
            guard range.begin <= range.end, range.end >= 1 else { return nil }
            let count = range.count.flatMap { $0 > 0 ? $0 : nil } ?? ChatHubLimits.page
            return MessageRange(
                conversation: range.conversation,
                seqs: max(1, range.begin)...range.end,
                count: min(count, ChatHubLimits.page)
            )
        }
        var pages = try await log.messages(
            in: wanted.compactMap(\.self),
            for: asker.person,
            newestFirst: newestFirst,
            byteLimit: ChatHubLimits.answerBytes
        )[...]
        return wanted.map { part in
            part == nil
                ? MessagePage(messages: [], isEnd: true) : pages.popFirst() ?? MessagePage(messages: [], isEnd: false)
        }
    }

    package func message(
        _ target: MessageTarget,
        in conversation: ConversationID,
        for asker: ChatAsker
    ) async throws -> StoredMessage {
        try await log.message(target, in: conversation, for: asker.person)
    }

    /// Searches the person's own history. Sealed messages are never found: the hub has no words of them.
    ///
    /// - Throws: ``ChatHubError/malformed(_:)`` for a text without words, or of more than 512 bytes.
    package func search(
        _ text: String,
        in conversation: ConversationID? = nil,
        from place: SearchPlace? = nil,
        for asker: ChatAsker
    ) async throws -> SearchPage {
        guard let words = SearchQuery(text) else { throw ChatHubError.malformed("query") }
        return try await log.search(words, in: conversation, for: asker.person, from: place, limit: SearchLimit())
    }
}

extension MessageFacts {
    /// With words of a notification that fit.
    fileprivate var cut: MessageFacts {
        guard pushText.utf8.count > ChatHubLimits.pushBytes else { return self }
        var short = ""
        for character in pushText where short.utf8.count + character.utf8.count <= ChatHubLimits.pushBytes - 3 {
            short.append(character)
        }
        return MessageFacts(
            kind,
            searchText: searchText,
            objectKeys: objectKeys,
            shownContent: shownContent,
            pushText: short + "…",
            lists: lists
        )
    }
}
