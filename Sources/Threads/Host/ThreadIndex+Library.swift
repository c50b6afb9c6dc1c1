package import AgentHistory
package import Conversations
package import ThreadIndex
package import Threads

/// The threads of this computer's disk, by their index.
extension ThreadIndex: ThreadLibrary {
    package func list(_ query: ThreadListQuery) async throws -> ThreadListPage {
        try await list(
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

    package func threads(_ threads: Set<ThreadReference>) async throws -> [AgentThread] {
        guard !threads.isEmpty else { return [] }
        return try await list(
            ThreadQuery(limit: 200, includesArchived: true, includesAll: true, references: threads)
        ).threads
    }

    package func page(
        of thread: AgentThread,
        from cursor: ConversationCursor,
        limits: PageLimits
    ) async throws -> ConversationPage {
        try await page(of: thread.reference, from: cursor, limits: limits)
    }

    package func lastPage(
        of thread: AgentThread,
        before cursor: ConversationCursor?,
        limits: PageLimits
    ) async throws -> ConversationPage {
        try await lastPage(of: thread.reference, before: cursor, limits: limits)
    }

    package func image(of thread: AgentThread, at item: ConversationItem, limit: Int) async throws -> String? {
        if case .image(let image) = item.content, let bytes = image.byteCount, bytes > limit {
            throw ThreadsError.imageTooLarge(bytes: bytes, limit: limit)
        }
        return try await picture(of: thread.reference, at: item.position, item: item.id, limit: limit)?.base64
    }

    package func search(_ query: ThreadSearchQuery) async throws -> SearchPage {
        try await search(
            ThreadSearch(
                query: query.query,
                limit: query.limit,
                cursor: query.cursor,
                agent: query.agent,
                folder: query.folder
            )
        )
    }

    package func isWhole() async { for await progress in progressChanges() where progress == nil { return } }
}
