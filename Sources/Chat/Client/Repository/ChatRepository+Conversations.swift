import Accounts
public import Chat
import Kernel

/// The list and its conversations. Source: rules L1 to L8, C9.
extension ChatRepository {
    /// How the account stands, and what the list shows.
    public func list() async throws -> ChatControl.Standing {
        let listed = try await stored.read { try $0.list() }
        return ChatControl.Standing(
            state: feed.standing,
            me: ChatControl.Me(user: me.imUserID, name: account.name, nickname: account.nickname),
            conversations: listed.map { feed.entry($0) },
            unread: listed.reduce(0) { $0 + ($1.record.isMuted ? 0 : $1.record.unread) },
            requests: listed.count { $0.record.request == .incoming }
        )
    }

    /// A conversation's row, also of one that is not on the list.
    public func conversation(_ id: ConversationID) async throws -> ChatControl.ConversationEntry {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        let known = try await stored.read { reading in
            try reading.conversation(id).map { try reading.listed($0) }
        }
        if let known { return feed.entry(known) }
        let made = try await stored.write { try $0.reading.listed($0.conversation(id)) }
        due.seals.insert(id)
        due.needsProfiles = true
        poke()
        return feed.entry(made)
    }

    /// Changes settings at the hub, then here.
    /// Something was changed at the hub: the change has its number there, which the next question tells.
    func acted() {
        due.needsSync = true
        poke()
    }

    /// The newest place that is known now. What comes while the hub is asked is newer than what it answers about.
    private func newest(of id: ConversationID) async throws -> Int64 {
        try await stored.read { try $0.conversation(id).map { max($0.newest, $0.applied) } ?? 0 }
    }

    private func set(
        _ settings: ConversationSettings,
        of id: ConversationID
    ) async throws -> ChatControl.ConversationEntry {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        _ = try await server.ask(IMEndpoints.setConversations, SetConversations(me, id, settings))
        try await stored.write { try $0.change(id) { $0.take(settings) } }
        acted()
        return try await conversation(id)
    }

    /// - Throws: What the hub refuses; then nothing has changed. Source: rule L6.
    public func pin(_ id: ConversationID, _ isPinned: Bool) async throws -> ChatControl.ConversationEntry {
        try await set(ConversationSettings(isPinned: isPinned), of: id)
    }

    public func mute(_ id: ConversationID, _ isMuted: Bool) async throws -> ChatControl.ConversationEntry {
        try await set(ConversationSettings(receiveOption: isMuted ? .silent : .receive), of: id)
    }

    /// Takes a conversation off the list until something new is written in it.
    public func hide(_ id: ConversationID) async throws {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        let last = try await newest(of: id)
        try await unlessUnwritten(IMEndpoints.deleteConversations, ConversationsRequest(me, [id]))
        for one in try await waiting(in: id) { try await outbox.discard(one) }
        try await stored.write { try $0.change(id) { $0.hide(upTo: last) } }
        acted()
    }

    /// Asks the hub, which knows nothing of a conversation that nothing was ever written in: it is on this device's list alone.
    private func unlessUnwritten<Request>(
        _ endpoint: ChatEndpoint<Request, NoMembers>,
        _ request: Request
    ) async throws(ChatError) {
        do {
            _ = try await server.ask(endpoint, request)
        } catch {
            guard error.refusal == .notFound else { throw error }
        }
    }

    private func waiting(in id: ConversationID) async throws -> [String] {
        try await stored.read { reading in
            guard let record = try reading.conversation(id) else { return [] }
            return try reading.waiting(in: record).filter { $0.status == .failed }.map(\.key.clientMessageID)
        }
    }

    /// Clears the history for this account alone. Source: rule C9.
    ///
    /// - Returns: The last place that is cleared.
    @discardableResult
    public func clear(_ id: ConversationID) async throws -> Int64 {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        let last = try await newest(of: id)
        try await unlessUnwritten(IMEndpoints.clear, ClearConversations(me, [id]))
        // The hub cleared up to the newest message that it had, which may be one that is not here: its event tells.
        let cleared = try await stored.write { transaction in
            try transaction.change(id) { record in
                try transaction.clear(&record, before: last + 1)
                return record.lowest - 1
            }
        }
        acted()
        return cleared
    }

    /// Keeps what is written and not sent; the hub's other devices get it when the hub is reached.
    public func draft(_ id: ConversationID, _ text: String) async throws {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        guard text.utf8.count <= ChatLimits.text else { throw ChatError.tooLong("text", limit: ChatLimits.text) }
        try await stored.write { transaction in
            try transaction.change(id) { record in
                guard record.draft != Draft.kept(text) else { return }
                record.draft = Draft.kept(text)
                record.isDraftTold = false
            }
        }
        due.hasUntold = true
        poke()
    }

    public func block(_ id: ConversationID, _ isBlocked: Bool) async throws -> ChatControl.ConversationEntry {
        guard let peer = id.peer(of: me) else { throw ChatError.notYours }
        let endpoint = isBlocked ? IMEndpoints.addBlack : IMEndpoints.removeBlack
        _ = try await server.ask(endpoint, BlackEntry(of: me, peer))
        try await stored.write { try $0.setBlocked(peer, isBlocked) }
        acted()
        return try await conversation(id)
    }

    /// Tells who runs the hub of the other person, or of one of their messages.
    public func report(_ id: ConversationID, message: String?, reason: String) async throws {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        _ = try await server.ask(
            ChatEndpoints.report,
            ReportMessage(id, clientMessageID: message, reason: reason)
        )
    }

    /// Accepts or declines the first message of somebody new. Declining takes the conversation off the list.
    public func answer(_ id: ConversationID, accepts: Bool) async throws -> ChatControl.ConversationEntry {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        let last = try await newest(of: id)
        _ = try await server.ask(ChatEndpoints.answerRequest, AnswerRequest(id, accepts: accepts))
        try await stored.write { transaction in
            try transaction.change(id) { record in
                record.request = nil
                if !accepts { record.hide(upTo: last) }
            }
        }
        due.hasUntold = true
        due.needsPresence = true
        acted()
        return try await conversation(id)
    }

    /// Notes how far the person has read: here at once, at the hub when it is reached. Source: rules L8, B21, invariant I7.
    ///
    /// - Parameter place: Nil for everything that is here.
    public func read(_ id: ConversationID, upTo place: Int64? = nil) async throws {
        guard id.peer(of: me) != nil else { throw ChatError.notYours }
        try await stored.write { transaction in
            guard try transaction.reading.conversation(id) != nil else { return }
            try transaction.change(id) { record in
                record.readUpTo = max(record.readUpTo, min(place ?? record.applied, record.newest))
            }
        }
        due.hasUntold = true
        poke()
    }

    // MARK: People

    /// The conversation with a person. Nothing is written to anybody.
    ///
    /// - Parameters:
    ///   - text: An account's name, `tb_7`, a conversation's id or a link.
    ///   - safety: Notes what a link says of the person's keys; nil without keys.
    /// - Throws: ``ChatError/otherHub(_:)``; ``ChatError/refused(_:)`` for somebody whom the hub does not know.
    public func open(_ text: String, safety: (any SafetyDesk)? = nil) async throws -> ChatControl.ConversationEntry {
        let text = Draft.sendable(text) ?? ""
        guard text.utf8.count <= 2048 else { throw ChatError.tooLong("person", limit: 2048) }
        if let id = ConversationID(text) { return try await conversation(id) }
        if let person = UserID(imUserID: text) { return try await open(person) }
        if let link = PersonLink(text: text) {
            guard link.hub == account.dialled else { throw ChatError.otherHub(link.hub) }
            let entry = try await open(link.user)
            if let chain = link.chain { try await safety?.met(link.user, chain: chain) }
            return entry
        }
        let found = try await server.ask(ChatEndpoints.findPerson, FindPerson(text))
        guard let id = ConversationID(me, found.person) else { throw ChatError.notYours }
        let name = found.nickname.isEmpty ? found.name : found.nickname
        let (profile, now) = (Profile(person: found.person, name: name, avatar: found.avatar), now)
        try await stored.write { transaction in
            _ = try transaction.conversation(id)
            try transaction.keep([profile], of: [found.person], at: now)
        }
        return try await conversation(id)
    }

    /// A person by number: who is not known here is asked about.
    private func open(_ person: UserID) async throws -> ChatControl.ConversationEntry {
        guard let id = ConversationID(me, person) else { throw ChatError.notYours }
        if try await stored.read({ try $0.conversation(id) }) == nil {
            let answer = try await server.ask(ChatEndpoints.profiles, ProfilesRequest([person]))
            guard answer.profiles.contains(where: { $0.person == person }) else {
                throw ChatError.refused(.userNotFound)
            }
            let now = now
            try await stored.write { transaction in
                _ = try transaction.conversation(id)
                try transaction.keep(answer.profiles, of: [person], at: now)
            }
        }
        return try await conversation(id)
    }

    /// People of conversations that something was written in, requests that wait, and blocked people, by name.
    public func contacts() async throws -> ChatControl.Contacts {
        let all = try await stored.read { reading in try reading.conversations().map { try reading.listed($0) } }
        let people = all.filter { $0.record.newest > 0 || $0.record.isBlocked || $0.last != nil }.map { listed in
            let entry = feed.entry(listed)
            return ChatControl.Contact(
                conversation: entry.id,
                user: entry.user,
                name: entry.name,
                request: entry.request,
                isBlocked: entry.isBlocked,
                isVerified: entry.isVerified
            )
        }
        return ChatControl.Contacts(people: people.sorted { ($0.name, $0.user) < ($1.name, $1.user) })
    }

    /// The link by which others write to this account.
    ///
    /// - Parameter chain: SHA-256 of the first entry of the own list of devices; nil without keys.
    public func link(chain: [UInt8]?) -> ChatControl.OwnLink {
        let name = account.nickname.isEmpty ? account.name : account.nickname
        let link = PersonLink(hub: account.dialled, user: me, name: name, chain: chain)
        return ChatControl.OwnLink(link: link.text, user: me.imUserID, name: name)
    }

    /// Items as they happen, until the asker or the account is gone.
    ///
    /// - Parameter conversation: Nil for all.
    public nonisolated func follow(
        _ conversation: ConversationID?,
        _ report: @escaping @Sendable (ChatControl.Item) async throws -> Void
    ) async throws {
        try await feed.follow(conversation, report)
    }
}
