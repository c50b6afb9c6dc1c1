import Accounts
import Chat
import Feed
import Kernel
import Synchronization

/// What happens in an account's conversations, for commands, pages and screens: a bounded lane for each follower, so that a slow one holds up no
/// other. Also what is in memory alone: presence, typing, uploads.
final class ChatFeed: Sendable {
    /// An item on its way to a follower.
    struct Followed: FeedItem {
        let item: ChatControl.Item

        /// Whoever asks again gets the rest by that.
        func joined(with next: Followed) -> Followed? { item.reset == true ? self : nil }
    }

    private struct Follower {
        let conversation: ConversationID?
        let report: @Sendable (ChatControl.Item) async throws -> Void
        let ended: AsyncStream<Never>.Continuation
    }

    /// What an app's screen of a conversation follows.
    private struct Screen: Sendable {
        let incoming = Broadcaster<IncomingItem>(capacity: screenLimit)
        let outgoing = Broadcaster<OutgoingNews>(capacity: screenLimit)

        func finish() {
            incoming.finish()
            outgoing.finish()
        }
    }

    private struct State {
        var screens: [ConversationID: Screen] = [:]
        var followers: [UInt64: Follower] = [:]
        var number: UInt64 = 0
        var online: Set<UserID> = []
        var progress: [String: Double] = [:]
        /// Conversations whose other person types, and until when.
        var typing: [ConversationID: ContinuousClock.Instant] = [:]
        /// Conversations that the list has: those that leave it are told as hidden.
        var listed: Set<ConversationID> = []
        var standing = ChatControl.Standing.State.connecting
        var isEnded = false
    }

    /// Items that wait for one follower.
    private static let waitingLimit = 512
    /// Events that wait for one screen. What a screen loses it finds missing by the places.
    private static let screenLimit = 1024

    private final class Shared: Sendable {
        let value = Mutex(State())
    }

    let me: UserID
    private let state: Shared
    private let lanes: FeedLanes<UInt64, Followed>
    private let changed = Broadcaster<Void>(capacity: 1)
    private let listChanged = Broadcaster<ConversationListChange>(capacity: screenLimit)

    init(me: UserID) {
        self.me = me
        let state = Shared()
        self.state = state
        lanes = FeedLanes { items, visit in
            guard let follower = state.value.withLock({ $0.followers[visit.follower] }) else { return }
            do {
                for item in items { try await follower.report(item.item) }
            } catch {
                // The asker has gone.
                follower.ended.finish()
            }
        }
    }

    // MARK: Followers

    /// Reports what happens until the asker or the account is gone.
    ///
    /// - Parameter conversation: Nil for all.
    /// - Throws: `CancellationError` where the asker has gone, ``ChatError/noAccount`` where the account has.
    func follow(
        _ conversation: ConversationID?,
        _ report: @escaping @Sendable (ChatControl.Item) async throws -> Void
    ) async throws {
        let (ends, end) = AsyncStream.makeStream(of: Never.self)
        let id: UInt64? = state.value.withLock { state in
            guard !state.isEnded else { return nil }
            state.number += 1
            state.followers[state.number] = Follower(conversation: conversation, report: report, ended: end)
            return state.number
        }
        guard let id else { throw ChatError.noAccount }
        add(ChatControl.Item(state: standing), to: id)
        for await _ in ends {}
        _ = state.value.withLock { $0.followers.removeValue(forKey: id) }
        lanes.remove(id)
        try Task.checkCancellation()
        throw ChatError.noAccount
    }

    private func add(_ item: ChatControl.Item, to id: UInt64) {
        guard lanes.add(Followed(item: item), to: id, limit: Self.waitingLimit) != nil else { return }
        lanes.remove(id)
        lanes.add(Followed(item: ChatControl.Item(reset: true)), to: id, limit: Self.waitingLimit)
    }

    /// - Parameters:
    ///   - conversation: Nil for what concerns all.
    ///   - isListed: Whether the list has it; otherwise only who follows this conversation is told.
    private func tell(_ item: ChatControl.Item, of conversation: ConversationID?, isListed: Bool = true) {
        let ids = state.value.withLock { state in
            state.followers.filter { _, follower in
                guard let conversation else { return true }
                return follower.conversation.map { $0 == conversation } ?? isListed
            }
            .keys
        }
        for id in ids { add(item, to: id) }
    }

    /// Ends all following. Returns once nothing is reported any more.
    func end() async {
        let (followers, screens) = state.value.withLock { state in
            state.isEnded = true
            return (Array(state.followers.values), Array(state.screens.values))
        }
        for follower in followers { follower.ended.finish() }
        await lanes.close()
        changed.finish()
        for screen in screens { screen.finish() }
        listChanged.finish()
    }

    // MARK: From the store

    /// Called after each commit, in their order.
    func tell(_ news: StoreNews) {
        for (id, _) in news.cleared { tell(ChatControl.Item(cleared: id.text), of: id) }
        for (id, key) in news.removed {
            tell(ChatControl.Item(removed: ChatControl.Target(id.text, id: key.clientMessageID)), of: id)
        }
        for message in news.messages {
            let record = message.record
            if record.key.sender != me { setTyping(record.conversation, until: nil) }
            tell(ChatControl.Item(message: entry(record)), of: record.conversation)
            shownScreen(record.conversation)?.incoming.send(.message(record.message(for: me)))
        }
        for notice in news.notices {
            tell(ChatControl.Item(notice: ChatEntries.notice(notice)), of: notice.conversation)
        }
        for (id, place) in news.peerRead {
            guard let peer = id.peer(of: me) else { continue }
            shownScreen(id)?.incoming.send(
                .read(ReadReceipt(reader: peer, conversation: id, readSequence: place))
            )
        }
        for listed in news.conversations { tell(listed) }
        changed.send(())
    }

    private func tell(_ listed: ListedConversation) {
        let id = listed.record.id
        let wasListed = state.value.withLock { state in
            listed.isVisible ? !state.listed.insert(id).inserted : state.listed.remove(id) != nil
        }
        guard listed.isVisible || !wasListed else {
            tell(ChatControl.Item(hidden: id.text), of: id)
            listChanged.send(.hidden(id))
            return
        }
        tell(ChatControl.Item(conversation: entry(listed)), of: id, isListed: listed.isVisible)
        if listed.isVisible { listChanged.send(.update(Self.update(listed, for: me))) }
    }

    /// The conversations that the list has at the beginning.
    func setListed(_ ids: Set<ConversationID>) { state.value.withLock { $0.listed = ids } }

    static func update(_ listed: ListedConversation, for me: UserID) -> ConversationUpdate {
        let last = listed.last?.message(for: me)
        return ConversationUpdate(
            listed.record.id,
            isPinned: listed.record.isPinned,
            draft: listed.record.draft ?? "",
            unreadCount: listed.record.unread,
            lastMessagePreview: last.map { $0.isRecalled ? ConversationList.recalledText : $0.content } ?? "",
            lastMessageTime: listed.time > 0 ? listed.time : nil
        )
    }

    func entry(_ record: MessageRecord) -> ChatControl.MessageEntry {
        let progress = state.value.withLock { $0.progress[record.key.clientMessageID] }
        let isWaiting = record.status == .sending && record.key.sender == me
        return ChatEntries.message(record, progress: isWaiting ? progress ?? 0 : 0, for: me)
    }

    func entry(_ listed: ListedConversation) -> ChatControl.ConversationEntry {
        let isOnline = state.value.withLock { $0.online.contains(listed.record.peer) }
        return ChatEntries.conversation(listed, isOnline: isOnline, for: me)
    }

    // MARK: Live

    var standing: ChatControl.Standing.State { state.value.withLock(\.standing) }

    func setStanding(_ standing: ChatControl.Standing.State) {
        let isOther = state.value.withLock { state in
            defer { state.standing = standing }
            // Nobody is known to be there while the hub is not reached.
            if standing == .away { state.online = [] }
            return state.standing != standing
        }
        guard isOther else { return }
        tell(ChatControl.Item(state: standing), of: nil)
        changed.send(())
    }

    /// - Returns: Whether it changed.
    func setOnline(_ person: UserID, _ isOnline: Bool) -> Bool {
        let isOther = state.value.withLock { state in
            isOnline ? state.online.insert(person).inserted : state.online.remove(person) != nil
        }
        if isOther { listChanged.send(.online(person, isOnline)) }
        return isOther
    }

    /// - Parameter end: When the other person counts as having stopped; nil for now.
    func setTyping(_ id: ConversationID, until end: ContinuousClock.Instant?) {
        let wasTyping = state.value.withLock { state in
            defer { state.typing[id] = end }
            return state.typing[id] != nil
        }
        guard wasTyping != (end != nil) else { return }
        let isTyping = end != nil
        tell(ChatControl.Item(typing: ChatControl.Typing(conversation: id.text, isTyping: isTyping)), of: id)
        shownScreen(id)?.incoming.send(.typing(isTyping: isTyping))
    }

    /// Ends those whose time is over.
    func endTyping(at now: ContinuousClock.Instant) {
        let over = state.value.withLock { state in state.typing.filter { $0.value <= now }.keys }
        for id in over { setTyping(id, until: nil) }
    }

    /// - Parameter part: 0 to 1; nil once the upload is over.
    func setProgress(_ id: String, _ part: Double?) { state.value.withLock { $0.progress[id] = part } }

    func tellProgress(_ record: MessageRecord) {
        tell(ChatControl.Item(message: entry(record)), of: record.conversation)
    }

    func tell(_ news: OutgoingNews, of id: ConversationID) { shownScreen(id)?.outgoing.send(news) }

    // MARK: Streams

    /// Tells of each change, for pages that ask again.
    func changes() -> AsyncStream<Void> { changed.subscribe() }

    func listChanges() -> AsyncStream<ConversationListChange> { listChanged.subscribe() }

    func incoming(_ id: ConversationID) -> AsyncStream<IncomingItem> { screen(id).incoming.subscribe() }

    func outgoing(_ id: ConversationID) -> AsyncStream<OutgoingNews> { screen(id).outgoing.subscribe() }

    /// The screen of a conversation, which is made when it is first shown.
    private func screen(_ id: ConversationID) -> Screen {
        state.value.withLock { state in
            if let known = state.screens[id] { return known }
            let made = Screen()
            if state.isEnded { made.finish() }
            state.screens[id] = made
            return made
        }
    }

    private func shownScreen(_ id: ConversationID) -> Screen? { state.value.withLock { $0.screens[id] } }
}
