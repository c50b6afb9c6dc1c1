import AgentHistory
import Conversations
import ThreadIndex
import Threads

/// The threads of this computer's disk, by their index.
struct IndexedThreads: ThreadLibrary {
    private let index: ThreadIndex

    init(_ index: ThreadIndex) { self.index = index }

    func list(_ query: ThreadListQuery) async throws -> ThreadListPage {
        try await index.list(
            ThreadQuery(
                limit: query.limit,
                cursor: query.cursor,
                agent: query.agent,
                folder: query.folder,
                isArchived: query.isArchived,
                includesAll: query.includesAll
            )
        )
    }

    func thread(_ id: String, agent: Agent?) async throws -> AgentThread? {
        try await index.thread(id, agent: agent)
    }

    func threads(_ threads: Set<ThreadReference>) async throws -> [AgentThread] {
        guard !threads.isEmpty else { return [] }
        return try await index.list(
            ThreadQuery(limit: 200, includesArchived: true, includesAll: true, references: threads)
        ).threads
    }

    func folders(agent: Agent?) async throws -> [ThreadFolder] {
        try await index.folders(agent: agent)
    }

    func page(
        of thread: AgentThread,
        from cursor: ConversationCursor,
        limits: PageLimits
    ) async throws -> ConversationPage {
        try await index.page(of: thread.reference, from: cursor, limits: limits)
    }

    func lastPage(
        of thread: AgentThread,
        before cursor: ConversationCursor?,
        limits: PageLimits
    ) async throws -> ConversationPage {
        try await index.lastPage(of: thread.reference, before: cursor, limits: limits)
    }

    func image(of thread: AgentThread, at item: ConversationItem, limit: Int) async throws -> String? {
        if case .image(let image) = item.content, let bytes = image.byteCount, bytes > limit {
            throw ThreadsError.imageTooLarge(bytes: bytes, limit: limit)
        }
        return try await index.picture(of: thread.reference, at: item.position, item: item.id, limit: limit)?.base64
    }

    func search(_ query: ThreadSearchQuery) async throws -> SearchPage {
        try await index.search(
            ThreadSearch(
                query: query.query,
                limit: query.limit,
                cursor: query.cursor,
                agent: query.agent,
                folder: query.folder
            )
        )
    }

    func progress() async -> IndexingProgress? { index.progress }

    func isWhole() async { for await progress in index.progressChanges() where progress == nil { return } }

    func changes() async -> AsyncStream<ThreadChange> { index.changes() }

    func run() async { await index.run() }
}
