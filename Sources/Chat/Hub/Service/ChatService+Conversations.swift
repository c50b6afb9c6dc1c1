package import Accounts
package import Chat
import Kernel

extension ChatService {
    // MARK: Cursors

    /// Moves the person's read cursor forward (I7), on all their devices, and tells the peer where receipts are on.
    ///
    /// - Returns: The cursor afterwards.
    package func markRead(
        _ conversation: ConversationID,
        upTo seq: Int64,
        by asker: ChatAsker
    ) async throws -> Int64 {
        try await log.read(
            conversation,
            by: asker.person,
            upTo: seq,
            tellsPeer: settings.hasReceipts,
            origin: asker.device,
            at: now
        )
    }

    /// A device of the person has everything up to here.
    package func markReceived(
        _ conversation: ConversationID,
        upTo seq: Int64,
        by asker: ChatAsker
    ) async throws -> Int64 {
        try await log.receive(conversation, by: asker.person, upTo: seq, tellsPeer: settings.hasReceipts)
    }

    /// Where the person stands everywhere: one question for a device that comes back.
    package func seqs(for asker: ChatAsker) async throws -> [ConversationSeqs] {
        try await log.seqs(of: asker.person)
    }

    // MARK: The list

    package func conversations(
        offset: Int = 0,
        count: Int = 100,
        for asker: ChatAsker
    ) async throws -> ConversationList {
        let page = ListPage(offset: max(0, offset), count: min(max(0, count), ChatHubLimits.conversations))
        let list = try await log.conversations(of: asker.person, page: page)
        guard !settings.hasReceipts else { return list }
        return ConversationList(
            conversations: list.conversations.map(\.withoutReceipts),
            total: list.total,
            unreadTotal: list.unreadTotal
        )
    }

    package func conversation(_ id: ConversationID, for asker: ChatAsker) async throws -> ConversationSummary {
        let summary = try await log.summary(of: id, for: asker.person)
        return settings.hasReceipts ? summary : summary.withoutReceipts
    }

    /// Pins, mutes, keeps a draft: for all devices of the person.
    package func change(
        _ change: SettingsChange,
        of conversation: ConversationID,
        by asker: ChatAsker
    ) async throws -> MemberSettings {
        guard (change.draft?.utf8.count ?? 0) <= ChatHubLimits.draftBytes else {
            throw ChatHubError.tooLarge(limit: ChatHubLimits.draftBytes)
        }
        let peer = try conversation.checkedPeer(of: asker.person)
        // A conversation with a deleted account can still be unpinned; one with nobody cannot begin.
        if try await !dependencies.isAccount(peer) { _ = try await log.summary(of: conversation, for: asker.person) }
        return try await log.change(
            change,
            of: conversation,
            for: asker.person,
            origin: asker.device,
            at: now
        )
    }

    /// Takes the conversation out of the list until something new is written in it.
    package func hide(_ conversation: ConversationID, by asker: ChatAsker) async throws {
        try await log.hide(conversation, for: asker.person, at: now)
    }

    /// Lets a stranger write.
    package func acceptRequest(_ conversation: ConversationID, by asker: ChatAsker) async throws {
        try await log.answerRequest(conversation, by: asker.person, accepts: true, at: now)
    }

    /// The stranger is not told, and cannot write again unless this person does.
    package func declineRequest(_ conversation: ConversationID, by asker: ChatAsker) async throws {
        try await log.answerRequest(conversation, by: asker.person, accepts: false, at: now)
    }

    /// Changes on other devices after a number, for a device that comes back.
    package func events(
        after number: Int64,
        count: Int = ChatHubLimits.events,
        for asker: ChatAsker
    ) async throws -> EventPage {
        try await log.events(of: asker.person, after: number, limit: min(max(1, count), ChatHubLimits.events))
    }

    // MARK: Blocks and reports

    package func block(_ other: UserID, by asker: ChatAsker) async throws {
        guard try await dependencies.isAccount(other) else { throw ChatHubError.personUnknown }
        try await log.block(other, by: asker.person, limit: ChatHubLimits.blocks, at: now)
    }

    package func unblock(_ other: UserID, by asker: ChatAsker) async throws {
        try await log.unblock(other, by: asker.person, at: now)
    }

    package func blocked(for asker: ChatAsker) async throws -> [UserID] { try await log.blocked(by: asker.person) }

    /// Tells who moderates the hub of the other person, with one of their messages or without.
    ///
    /// - Returns: The report's number.
    package func report(
        _ target: MessageTarget?,
        in conversation: ConversationID,
        reason: String,
        by asker: ChatAsker
    ) async throws -> Int64 {
        guard reason.utf8.count <= ChatHubLimits.reasonBytes else {
            throw ChatHubError.tooLarge(limit: ChatHubLimits.reasonBytes)
        }
        return try await log.report(
            target,
            in: conversation,
            by: asker.person,
            reason: reason,
            limit: ChatHubLimits.reports,
            at: now
        )
    }

    // MARK: Presence and typing: in memory alone

    /// The people who are online, of those with whom this person talks and who did not block them.
    package func online(_ people: [UserID], for asker: ChatAsker) async throws -> Set<UserID> {
        try await acquaintances(people, of: asker).filter(connections.isOnline)
    }

    /// Follows the presence of people on a connection. Strangers, and who blocked the person, are left out.
    ///
    /// - Returns: Those who are online now.
    package func watchPresence(
        of people: [UserID],
        on connection: UInt64,
        for asker: ChatAsker
    ) async throws -> Set<UserID> {
        let known = try await acquaintances(people, of: asker)
        connections.watch(known, by: connection)
        return known.filter(connections.isOnline)
    }

    private func acquaintances(_ people: [UserID], of asker: ChatAsker) async throws -> Set<UserID> {
        guard people.count <= ChatHubLimits.watched else {
            throw ChatHubError.limitReached(ChatHubLimits.watched)
        }
        return try await log.acquaintances(of: asker.person, among: people)
    }

    /// Shows the peer that the person types. More of them than anybody could show are dropped in silence.
    package func type(in conversation: ConversationID, by asker: ChatAsker) async throws {
        let peer = try conversation.checkedPeer(of: asker.person)
        guard connections.isOnline(peer), typings.take(asker.person, ticks: dependencies.time.ticks) == nil,
            try await !log.acquaintances(of: asker.person, among: [peer]).isEmpty
        else { return }
        connections.deliver([ChatPush(person: peer, change: .typing(conversation))])
    }
}
