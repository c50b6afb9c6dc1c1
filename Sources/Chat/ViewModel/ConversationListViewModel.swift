public import Accounts
public import Observation

/// The list of conversations as a screen shows it. Documented name. Source: rules L2 to L8.
@MainActor @Observable
public final class ConversationListViewModel {
    /// Where the list comes from and where its changes go.
    public struct Dependencies: Sendable {
        /// The rows that were kept for this account.
        public var cached: @Sendable () async -> [CachedConversation]
        /// Keeps rows for the next start of this account.
        public var keep: @Sendable ([CachedConversation]) async -> Void
        /// The list as the server has it.
        public var fetch: @Sendable () async throws -> [ConversationUpdate]
        /// Changes from the moment of the call on.
        public var changes: @Sendable () -> AsyncStream<ConversationListChange>
        /// Names that this device knows already.
        public var knownProfiles: @Sendable (Set<UserID>) async -> [Profile]
        /// Names that the server knows, of at most ``ConversationList/profileChunk`` people.
        public var fetchProfiles: @Sendable ([UserID]) async throws -> [Profile]
        public var pin: @Sendable (ConversationID, Bool) async throws -> Void
        public var delete: @Sendable (ConversationID) async throws -> Void

        public init(
            cached: @escaping @Sendable () async -> [CachedConversation],
            keep: @escaping @Sendable ([CachedConversation]) async -> Void,
            fetch: @escaping @Sendable () async throws -> [ConversationUpdate],
            changes: @escaping @Sendable () -> AsyncStream<ConversationListChange>,
            knownProfiles: @escaping @Sendable (Set<UserID>) async -> [Profile],
            fetchProfiles: @escaping @Sendable ([UserID]) async throws -> [Profile],
            pin: @escaping @Sendable (ConversationID, Bool) async throws -> Void,
            delete: @escaping @Sendable (ConversationID) async throws -> Void
        ) {
            self.cached = cached
            self.keep = keep
            self.fetch = fetch
            self.changes = changes
            self.knownProfiles = knownProfiles
            self.fetchProfiles = fetchProfiles
            self.pin = pin
            self.delete = delete
        }
    }

    public enum Phase: Hashable, Sendable {
        case idle
        case loading
        case loaded
        /// The rows that are there stay.
        case failed(message: String)
    }

    public private(set) var list: ConversationList
    public private(set) var phase = Phase.idle
    /// Why the last pin or deletion was taken back; nil once it was dismissed.
    public private(set) var notice: String?
    private let dependencies: Dependencies
    /// Counts the runs: an earlier one whose screen is gone changes nothing any more.
    private var run = 0
    /// People who were asked about in this run: where the server does not answer, not every change asks again.
    private var asked: Set<UserID> = []

    public init(me: UserID, _ dependencies: Dependencies) {
        list = ConversationList(me: me)
        self.dependencies = dependencies
    }

    /// Rows of a skeleton are shown only while something loads and there is nothing to show. Source: rule L7.
    public var showsSkeleton: Bool { phase == .loading && list.rows.isEmpty }

    /// Whether the screen says that there are no conversations yet. Source: rule L7.
    public var isEmpty: Bool { phase == .loaded && list.rows.isEmpty }

    /// Loads the list and follows its changes until its task is cancelled or the changes end: the screen's `.task`. A second call takes the first one's
    /// place. Source: rules L2, B22.
    public func appear() async {
        run += 1
        let mine = run
        asked = []
        // First, so that what changes while the list is fetched is not lost.
        let changes = dependencies.changes()
        phase = .loading
        if list.rows.isEmpty {
            let cached = await dependencies.cached()
            guard run == mine else { return }
            list.showCached(cached)
        }
        await load(mine)
        for await change in changes {
            guard run == mine else { return }
            apply(change)
            await enrich(mine)
            guard run == mine else { return }
            await dependencies.keep(list.cached)
        }
    }

    private func load(_ mine: Int) async {
        do {
            let updates = try await dependencies.fetch()
            guard run == mine else { return }
            for update in updates { list.merge(update) }
            await enrich(mine)
            guard run == mine else { return }
            phase = .loaded
            await dependencies.keep(list.cached)
        } catch {
            guard run == mine else { return }
            phase = error is CancellationError ? .idle : .failed(message: "\(error)")
        }
    }

    private func apply(_ change: ConversationListChange) {
        switch change {
        case .update(let update): list.merge(update)
        case .message(let message): list.receive(message)
        case .hidden(let id): _ = list.remove(id)
        case .online(let person, let isOnline): list.setOnline(person, isOnline)
        case .imOpened(let id): list.setIMOpened(id)
        }
    }

    /// Names of people who have none yet: those that this device knows, then the others' from the server. Without an answer the rows stay as they
    /// are. Source: rule L4.
    private func enrich(_ mine: Int) async {
        let nameless = Set(list.rows.filter(\.nickname.isEmpty).map(\.peer)).subtracting(asked)
        guard !nameless.isEmpty else { return }
        let known = await dependencies.knownProfiles(nameless)
        guard run == mine else { return }
        list.setProfiles(known)
        let named = Set(list.rows.filter { !$0.nickname.isEmpty }.map(\.peer))
        for people in list.missingProfiles(knowing: named.union(asked)) {
            asked.formUnion(people)
            guard let profiles = try? await dependencies.fetchProfiles(people), run == mine else { return }
            list.setProfiles(profiles)
        }
    }

    /// The conversation is on the screen. Source: rule L8.
    public func open(_ id: ConversationID) { list.open(id) }

    /// The conversation left the screen, with what is written in it and not sent. Source: rule B21.
    public func close(_ id: ConversationID, draft: String?) { list.close(id, draft: draft) }

    /// Pins or unpins at once, and takes it back when the server refuses. Source: rule L6.
    public func pin(_ id: ConversationID, _ isPinned: Bool) async {
        guard let pending = list.pin(id, isPinned) else { return }
        await confirm(pending) { [dependencies] in try await dependencies.pin(id, isPinned) }
    }

    /// Takes the conversation off the list at once, and back when the server refuses. Source: rule L6.
    public func delete(_ id: ConversationID) async {
        guard let pending = list.remove(id) else { return }
        await confirm(pending) { [dependencies] in try await dependencies.delete(id) }
    }

    private func confirm(
        _ pending: ConversationList.PendingChange,
        _ ask: @Sendable () async throws -> Void
    ) async {
        do {
            try await ask()
            await dependencies.keep(list.cached)
        } catch {
            list.rollBack(pending)
            notice = "\(error)"
        }
    }

    public func dismissNotice() { notice = nil }
}
