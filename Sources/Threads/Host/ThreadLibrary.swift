package import AgentHistory
package import Conversations
package import Threads

/// The conversations that lie on this computer's disk: an index of them, and their files.
package protocol ThreadLibrary: Sendable {
    /// - Throws: An error that the person is told.
    func list(_ query: ThreadListQuery) async throws -> LibraryPage
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
    func search(_ query: ThreadSearchQuery) async throws -> LibraryHits
    /// Nil once everything was read.
    func progress() async -> IndexingProgress?
    /// Returns once everything was read. What is found until then is told as no change.
    func isWhole() async
    /// The changes on the disk from now on. A slow reader misses the oldest.
    func changes() async -> AsyncStream<LibraryChange>
    /// Keeps the index fresh until its task is cancelled.
    func run() async
}

/// A page of the list of threads as it lies on the disk.
package struct LibraryPage: Sendable {
    package var threads: [AgentThread]
    package var next: String?
    package var total: Int

    package init(threads: [AgentThread], next: String?, total: Int) {
        self.threads = threads
        self.next = next
        self.total = total
    }
}

/// The results of a search.
package struct LibraryHits: Sendable {
    package struct Hit: Sendable {
        package var thread: AgentThread
        package var item: String?
        package var cursor: ConversationCursor?
        package var kind: String
        package var snippet: String
        package var marks: [Range<Int>]

        package init(
            thread: AgentThread,
            item: String?,
            cursor: ConversationCursor?,
            kind: String,
            snippet: String,
            marks: [Range<Int>]
        ) {
            self.thread = thread
            self.item = item
            self.cursor = cursor
            self.kind = kind
            self.snippet = snippet
            self.marks = marks
        }
    }

    package var hits: [Hit]
    package var next: String?
    /// While texts are still read; nil once all can be found.
    package var progress: IndexingProgress?

    package init(hits: [Hit], next: String?, progress: IndexingProgress? = nil) {
        self.hits = hits
        self.next = next
        self.progress = progress
    }
}

/// A change on the disk.
package enum LibraryChange: Sendable {
    /// A thread's line in the list is new, or another one.
    case changed(AgentThread)
    /// Its file grew, or is another one: there is more to read.
    case grown(ThreadReference)
    case removed(ThreadReference)
}
