public import Accounts

/// The list of conversations as a value: changed by named events, always in order. Source: rules L1 to L4, L6, L8.
public struct ConversationList: Sendable {
    /// The documented line of a recalled message.
    public static let recalledText = "消息已撤回"
    /// People of one request for names. Source: rule L4.
    public static let profileChunk = 100

    /// A change that is shown before the server confirmed it, and how to take it back.
    public struct PendingChange: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            case pin(to: Bool)
            case removal(Conversation, version: UInt64)
        }

        public let id: ConversationID
        let kind: Kind
    }

    public let me: UserID
    private var conversations: [ConversationID: Conversation] = [:]
    /// In the order of the list.
    private var order: [ConversationID] = []
    /// The newest message's time of conversations that were deleted from the list: a later one brings them back.
    private var hiddenUpTo: [ConversationID: Int64] = [:]
    /// The conversation on the screen.
    public private(set) var visible: ConversationID?

    public init(me: UserID) { self.me = me }

    /// In order: pinned ones first, then by the newest message. Source: rule L1.
    public var rows: [Conversation] { order.compactMap { conversations[$0] } }

    public var unreadTotal: Int { order.reduce(0) { $0 + (conversations[$1]?.unreadCount ?? 0) } }

    public subscript(id: ConversationID) -> Conversation? { hiddenUpTo[id] == nil ? conversations[id] : nil }

    private static func precedes(_ one: Conversation, _ other: Conversation) -> Bool {
        if one.isPinned != other.isPinned { return one.isPinned }
        if one.lastMessageTime != other.lastMessageTime { return one.lastMessageTime > other.lastMessageTime }
        // Without a tie-break rows of one time would change places.
        return one.id.text.utf8.lexicographicallyPrecedes(other.id.text.utf8)
    }

    /// Puts a changed conversation in its place.
    private mutating func place(_ conversation: Conversation) {
        let before = conversations.updateValue(conversation, forKey: conversation.id)
        guard hiddenUpTo[conversation.id] == nil else { return }
        if let before, let index = order.firstIndex(of: conversation.id) {
            if before.isPinned == conversation.isPinned, before.lastMessageTime == conversation.lastMessageTime {
                return
            }
            order.remove(at: index)
        }
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if let other = conversations[order[middle]], Self.precedes(other, conversation) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        order.insert(conversation.id, at: low)
    }

    /// Changes the conversation, or makes it. Others' conversations are passed over.
    private mutating func change(_ id: ConversationID, _ body: (inout Conversation) -> Void) {
        guard var conversation = conversations[id] ?? Conversation(id, for: me) else { return }
        body(&conversation)
        place(conversation)
    }

    private mutating func show(_ id: ConversationID, time: Int64) {
        guard let hidden = hiddenUpTo[id], time > hidden else { return }
        hiddenUpTo[id] = nil
    }

    // MARK: Server

    /// Merges what the server says, field by field: names, the online flag and the signal stay. Source: rules L3, B22.
    public mutating func merge(_ update: ConversationUpdate) {
        show(update.id, time: update.lastMessageTime ?? 0)
        let isVisible = visible == update.id
        change(update.id) { conversation in
            if let isPinned = update.isPinned { conversation.isPinned = isPinned }
            if let draft = update.draft { conversation.draft = Draft.kept(draft) }
            if let unread = update.unreadCount { conversation.unreadCount = isVisible ? 0 : unread }
            if let preview = update.lastMessagePreview { conversation.lastMessagePreview = preview }
            if let time = update.lastMessageTime { conversation.lastMessageTime = time }
        }
    }

    /// A message that is new on this device. Own messages and control messages never count. Source: rule L8.
    public mutating func receive(_ message: ChatMessage) {
        guard message.type.isBubble, let id = ConversationID(message.sender, message.receiver) else { return }
        show(id, time: message.displayTime)
        let counts = !message.isMe && !message.isRecalled && visible != id
        change(id) { conversation in
            if counts { conversation.unreadCount += 1 }
            // A message that comes late must not become the preview of a newer one.
            guard message.displayTime >= conversation.lastMessageTime else { return }
            conversation.lastMessagePreview = message.isRecalled ? Self.recalledText : message.content
            conversation.lastMessageTime = message.displayTime
        }
    }

    // MARK: People

    /// The people whose names are not known, once each, in requests of at most ``profileChunk``. Source: rule L4.
    public func missingProfiles(knowing known: Set<UserID>) -> [[UserID]] {
        let missing = Set(order.compactMap { conversations[$0]?.peer }).subtracting(known).sorted()
        return stride(from: 0, to: missing.count, by: Self.profileChunk).map {
            Array(missing[$0..<min($0 + Self.profileChunk, missing.count)])
        }
    }

    /// Sets names and faces. Several of one person are no error: the first counts. Source: rule B22.
    public mutating func setProfiles(_ profiles: [Profile]) {
        let byPerson = Dictionary(profiles.map { ($0.person, $0) }, uniquingKeysWith: { first, _ in first })
        for (id, conversation) in conversations {
            guard let profile = byPerson[conversation.peer] else { continue }
            change(id) {
                $0.nickname = profile.name
                $0.avatar = profile.avatar
            }
        }
    }

    public mutating func setOnline(_ person: UserID, _ isOnline: Bool) {
        guard let id = ConversationID(me, person), conversations[id] != nil else { return }
        change(id) { $0.isOnline = isOnline }
    }

    /// The signal through which a conversation began.
    public mutating func setSignal(
        _ id: ConversationID,
        signalID: String,
        receiveID: String?,
        reply: String,
        content: String?
    ) {
        change(id) {
            $0.fromSignal = true
            $0.signalID = signalID
            $0.receiveID = receiveID
            $0.signalReply = reply
            $0.signalContent = content
        }
    }

    /// The quote was sent, and the server said so. Source: rule B20.
    public mutating func setIMOpened(_ id: ConversationID) { change(id) { $0.isIMOpened = true } }

    // MARK: The person

    /// The conversation is on the screen: nothing of it is unread, nor what comes while it stays there. Source: rule L8.
    public mutating func open(_ id: ConversationID) {
        visible = id
        if conversations[id] != nil { change(id) { $0.unreadCount = 0 } }
    }

    /// The conversation left the screen. What is written and not sent is kept. Source: rule B21.
    public mutating func close(_ id: ConversationID, draft: String?) {
        if visible == id { visible = nil }
        if conversations[id] != nil { change(id) { $0.draft = Draft.kept(draft) } }
    }

    /// A message was sent: its draft is gone.
    public mutating func clearDraft(_ id: ConversationID) {
        if conversations[id] != nil { change(id) { $0.draft = nil } }
    }

    /// Pins or unpins before the server confirms it. Nil for a conversation that is not there, or is so already. Source: rule L6.
    public mutating func pin(_ id: ConversationID, _ isPinned: Bool) -> PendingChange? {
        guard let conversation = self[id], conversation.isPinned != isPinned else { return nil }
        change(id) { $0.isPinned = isPinned }
        return PendingChange(id: id, kind: .pin(to: isPinned))
    }

    /// Takes the conversation off the list and its unread messages with it, before the server confirms it. A new message brings it back.
    public mutating func remove(_ id: ConversationID) -> PendingChange? {
        guard let before = self[id] else { return nil }
        order.removeAll { $0 == id }
        hiddenUpTo[id] = before.lastMessageTime
        change(id) { $0.unreadCount = 0 }
        return PendingChange(id: id, kind: .removal(before, version: conversations[id]?.version ?? 0))
    }

    /// Takes back what the server did not confirm. What changed meanwhile by other means stays. Source: rule L6.
    public mutating func rollBack(_ pending: PendingChange) {
        switch pending.kind {
        case .pin(let isPinned):
            guard conversations[pending.id]?.isPinned == isPinned else { return }
            change(pending.id) { $0.isPinned = !isPinned }
        case .removal(let before, let version):
            // A message that came meanwhile has brought it back, with a count of its own.
            guard hiddenUpTo.removeValue(forKey: pending.id) != nil else { return }
            let isUnchanged = conversations[pending.id]?.version == version
            change(pending.id) { if isUnchanged { $0.unreadCount = before.unreadCount } }
        }
    }

    // MARK: Cache

    /// The first rows, in order, for the next start. Source: rules L2, B22.
    public var cached: [CachedConversation] { rows.prefix(CachedConversation.limit).map(CachedConversation.init) }

    /// Shows what was kept, where there is nothing to show. Rows of another account are passed over.
    public mutating func showCached(_ cached: [CachedConversation]) {
        guard conversations.isEmpty else { return }
        for row in cached.prefix(CachedConversation.limit) {
            guard let id = ConversationID(row.id), id.peer(of: me)?.number == row.targetUid else { continue }
            change(id) {
                $0.nickname = row.nickname
                $0.avatar = row.avatar
                $0.isPinned = row.isPinned
                $0.unreadCount = row.unreadCount
                $0.lastMessagePreview = row.lastMessagePreview
                $0.lastMessageTime = row.lastMessageTime
            }
        }
    }
}
