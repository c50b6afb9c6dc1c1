import Accounts
public import Chat
import Foundation
import Kernel

/// What an app's screens stand on.
extension ChatRepository {
    /// For a ``ConversationListViewModel``.
    public nonisolated func listDependencies() -> ConversationListViewModel.Dependencies {
        ConversationListViewModel.Dependencies(
            cached: { (try? await self.cachedList()) ?? [] },  // then the list comes a moment later
            // The store keeps them.
            keep: { _ in },
            fetch: { try await self.updates() },
            changes: { self.feed.listChanges() },
            knownProfiles: { people in (try? await self.profiles(of: people)) ?? [] },  // then the server is asked
            fetchProfiles: { try await self.fetched($0) },
            pin: { _ = try await self.pin($0, $1) },
            delete: { try await self.hide($0) }
        )
    }

    private func cachedList() async throws -> [CachedConversation] {
        var list = ConversationList(me: me)
        for listed in try await stored.read({ try $0.list() }).prefix(CachedConversation.limit) {
            list.merge(ChatFeed.update(listed, for: me))
            if let profile = listed.profile { list.setProfiles([profile]) }
        }
        return list.cached
    }

    private func updates() async throws -> [ConversationUpdate] {
        let me = me
        return try await stored.read { try $0.list().map { ChatFeed.update($0, for: me) } }
    }

    private func profiles(of people: Set<UserID>) async throws -> [Profile] {
        try await stored.read { reading in try people.sorted().compactMap { try reading.profile($0) } }
            .filter { !$0.name.isEmpty }
    }

    private func fetched(_ people: [UserID]) async throws -> [Profile] {
        let profiles = try await server.ask(ChatEndpoints.profiles, ProfilesRequest(people)).profiles
        let now = now
        try await stored.write { try $0.keep(profiles, of: people, at: now) }
        return profiles
    }

    /// For a ``ConversationViewModel``.
    ///
    /// - Parameter resolve: Finds addresses of objects, as ``MediaCacheService`` does.
    public nonisolated func conversationDependencies(
        _ id: ConversationID,
        resolve: @escaping @Sendable ([ChatMessage]) async -> MediaResolution = { _ in MediaResolution() }
    ) -> ConversationViewModel.Dependencies {
        ConversationViewModel.Dependencies(
            incoming: { self.feed.incoming(id) },
            outgoing: { self.feed.outgoing(id) },
            history: { try await self.historyPage($0) },
            newest: { try await self.newestPlace(id) },
            pull: { try await self.items(id, $0) },
            enqueue: { message in
                let (feed, account) = (self.feed, self.account.user)
                guard message.conversation.peer(of: account) != nil else { throw ChatError.notYours }
                try self.outbox.add(message) { Self.tell($0, of: message.id, in: id, feed) }
            },
            resend: { one in
                let feed = self.feed
                try self.outbox.resend(one) { Self.tell($0, of: one, in: id, feed) }
            },
            cancel: { self.outbox.cancel($0) },
            revoke: { request in
                _ = try await self.server.ask(ChatEndpoints.revoke, request)
                try await self.noteRecalled(request.clientMessageID, in: request.conversation)
            },
            markRead: { try await self.read(id, upTo: $0) },
            clear: { try await self.clear(id) },
            // Where it cannot be kept the quote is sent again, under its one id, and stored once.
            setOpened: { try? await self.setOpened(id) },
            openIM: { _ = try await self.server.ask(ChatEndpoints.openIM, $0) },
            // A file that waits in the outbox has no address.
            resolveMedia: { messages in
                await resolve(
                    messages.filter { !$0.cacheableKeys.contains { $0.hasPrefix(OutgoingMessage.waitingPrefix) } }
                )
            }
        )
    }

    /// A message that the disk did not take has failed.
    private static func tell(
        _ result: Result<Void, any Error>,
        of message: String,
        in id: ConversationID,
        _ feed: ChatFeed
    ) {
        guard case .failure(let error) = result else { return }
        feed.tell(.step(.failed(id: message, reason: "\(error)", error: error as? ChatError)), of: id)
    }

    private func historyPage(_ request: HistoryRequest) async throws -> HistoryPage {
        let page = try await page(of: request.conversation, before: request.before, limit: request.count)
        let me = me
        return HistoryPage(
            (page.records.reversed() + page.waiting).map { .message($0.message(for: me)) },
            isEnd: page.isEnd,
            lowest: page.covered?.lowerBound,
            newest: page.covered?.upperBound
        )
    }

    private func newestPlace(_ id: ConversationID) async throws -> Int64 {
        try await stored.read { try $0.conversation(id)?.newest ?? 0 }
    }

    /// Everything at some places: of this device, once it has them.
    private func items(_ id: ConversationID, _ range: ClosedRange<Int64>) async throws -> [IncomingItem] {
        guard let record = try await stored.read({ try $0.conversation(id) }) else { return [] }
        if record.oldest == nil || range.upperBound > record.applied { try await repair(id) }
        let me = me
        return try await stored.read { reading in
            guard let record = try reading.conversation(id) else { return [] }
            guard range.upperBound <= record.applied else { throw ChatError.unreachable }
            return try reading.messages(in: record, range, limit: range.count).map { .message($0.message(for: me)) }
        }
    }

    private func setOpened(_ id: ConversationID) async throws {
        try await stored.write { try $0.change(id) { $0.isOpened = true } }
    }
}
