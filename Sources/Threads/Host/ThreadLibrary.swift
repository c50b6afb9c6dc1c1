package import AgentHistory
package import Conversations
package import ThreadIndex
package import Threads

/// The conversations that lie on this computer's disk: an index of them, and their files.
package protocol ThreadLibrary: Sendable {
    /// - Throws: An error that the person is told.
    func list(_ query: ThreadListQuery) async throws -> ThreadListPage
    /// Nil for one that is not there.
    func thread(_ id: String, agent: Agent?) async throws -> AgentThread?
    /// Those of `threads` that are there.
    func threads(_ threads: Set<ThreadReference>) async throws -> [AgentThread]
    func folders(agent: Agent?) async throws -> [ThreadFolder]
    /// - Throws: `AgentHistoryError/truncated` or `rewritten` where the file does not go on from the cursor.
    func page(of thread: AgentThread, from cursor: ConversationCursor, limits: PageLimits) async throws
        -> ConversationPage
    /// The last items, or those before a cursor.
    func lastPage(of thread: AgentThread, before cursor: ConversationCursor?, limits: PageLimits) async throws
        -> ConversationPage
    /// A picture of an item, in base64; nil where the history does not hold it.
    ///
    /// - Parameter limit: In bytes of the picture.
    /// - Throws: ``ThreadsError/imageTooLarge(bytes:limit:)``.
    func image(of thread: AgentThread, at item: ConversationItem, limit: Int) async throws -> String?
    func search(_ query: ThreadSearchQuery) async throws -> SearchPage
    /// Nil once everything was read.
    var progress: IndexingProgress? { get async }
    /// Returns once everything was read. What is found until then is told as no change.
    func isWhole() async
    /// The changes on the disk from now on. A slow reader misses the oldest.
    func changes() async -> AsyncStream<ThreadChange>
    /// Keeps the index fresh until its task is cancelled.
    func run() async
}
