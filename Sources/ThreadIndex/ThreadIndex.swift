package import AgentHistory
package import Conversations
package import Foundation
package import Kernel
package import Logging
import Synchronization

/// The threads of a computer's coding agents: a list, pages, a search, and what changes. It keeps a cache of the agents' files, which are
/// read and never written.
package final class ThreadIndex: Sendable {
    /// Agents at a time.
    private static let readerLimit = 64

    private let parts: IndexParts
    /// The queue for answers: never behind the background's reading.
    private let reading = BlockingWork("tandem.pages", width: 4, deviceWaitingLimit: 128, urgency: .bulk)
    /// The queue for searches, as wide as the database has readers, less one for lists.
    private let searching = BlockingWork(
        "tandem.search",
        width: 2,
        deviceWidth: 1,
        deviceWaitingLimit: 128,
        urgency: .bulk
    )
    private let watch: (any FolderWatch)?
    private let keepers = Keepers()
    private let fill: TextFill
    private let added: AsyncStream<ReaderKeeper>
    private let adding: AsyncStream<ReaderKeeper>.Continuation

    /// The keepers of all agents, in the order in which they came.
    private final class Keepers: Sendable {
        private let all = Mutex<[ReaderKeeper]>([])

        var list: [ReaderKeeper] { all.withLock { $0 } }

        func keeper(of agent: Agent) -> ReaderKeeper? { list.first { $0.reader.agent == agent } }

        /// False where the agent has one already, or there are too many.
        func add(_ keeper: ReaderKeeper) -> Bool {
            all.withLock { all in
                guard all.count < ThreadIndex.readerLimit,
                    !all.contains(where: { $0.reader.agent == keeper.reader.agent })
                else { return false }
                all.append(keeper)
                return true
            }
        }
    }

    /// - Parameters:
    ///   - folder: A folder of its own for the cache, made when it is missing. The cache can be made anew, so it belongs in no backup. Nil
    ///     keeps everything in memory.
    ///   - readers: One for each agent.
    ///   - watch: Nil: the folders are looked at again every few seconds.
    /// - Throws: Where not even a database in memory can be made. A folder that cannot be used is no error: the log says so.
    package convenience init(
        database folder: URL?,
        readers: [any HistoryReader],
        watch: (any FolderWatch)?,
        time: any TimeSource = .system,
        logger: Logger
    ) throws {
        self.init(
            try IndexDatabase(folder: folder, logger: logger),
            readers: readers,
            watch: watch,
            time: time,
            logger: logger
        )
    }

    init(
        _ database: IndexDatabase,
        readers: [any HistoryReader],
        watch: (any FolderWatch)?,
        time: any TimeSource,
        textBudget: Duration = TextFill.budget,
        logger: Logger
    ) {
        self.watch = watch
        parts = IndexParts(database: database, time: time, logger: logger)
        (added, adding) = AsyncStream.makeStream(
            of: ReaderKeeper.self,
            bufferingPolicy: .bufferingOldest(Self.readerLimit)
        )
        fill = TextFill(
            parts,
            reader: { [keepers] in keepers.keeper(of: $0)?.reader },
            isListWhole: { [parts] in parts.progress.value == nil },
            budget: textBudget
        )
        database.whenMadeAnew { [weak fill, weak parts, weak keepers] in
            parts?.forgetAll()
            fill?.begin()
            for keeper in keepers?.list ?? [] { keeper.begin() }
        }
        for reader in readers { add(reader) }
    }

    /// Keeps the index like the agents' files until the task is cancelled. Called once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.fill.run() }
            for await keeper in added { group.addTask { await keeper.run(self.watch) } }
        }
    }

    /// Adds the history of another agent, also while the index runs. One of an agent that has a reader already is left out.
    package func add(_ reader: any HistoryReader) {
        let keeper = ReaderKeeper(reader, parts)
        guard keepers.add(keeper) else {
            parts.logger.notice("a history is left out", metadata: ["agent": "\(reader.agent)"])
            return
        }
        parts.note(reader.agent) { $0 = IndexingProgress(done: 0, total: 0) }
        adding.yield(keeper)
    }

    // MARK: Lists

    /// How far the list is with what it found on disk; nil once it is whole.
    package var progress: IndexingProgress? { parts.progress.value }

    /// ``progress`` now and after each change, the newest only.
    package func progressChanges() -> AsyncStream<IndexingProgress?> { parts.progress.values() }

    /// Subscribes to changes from now on; each reader has its own stream. A reader more than a thousand behind loses the oldest.
    package func changes() -> AsyncStream<ThreadChange> { parts.changes.subscribe() }

    /// A part of the list of threads, the newest message first.
    ///
    /// - Throws: ``ThreadIndexError``.
    package func list(_ query: ThreadQuery) async throws -> ThreadListPage {
        let agents = agents
        return try await parts.database.read { try ThreadLists.page(query, of: agents, in: $0) }
    }

    /// The line of one thread, also of one whose file the index has not seen yet.
    ///
    /// - Returns: Nil where no agent has a thread of this name.
    package func thread(_ id: String, agent: Agent?) async throws -> AgentThread? {
        if let known = try await knownThread(id, agent) { return known }
        for keeper in keepers.list where agent == nil || keeper.reader.agent == agent {
            if try await !keeper.find(id).isEmpty, let found = try await knownThread(id, agent) { return found }
        }
        return nil
    }

    private func knownThread(_ id: String, _ agent: Agent?) async throws -> AgentThread? {
        let agents = agents
        return try await parts.database.read { try ThreadLists.thread(id, agent, of: agents, in: $0) }
    }

    /// The folders in which threads of the normal list work, the newest first.
    package func folders(agent: Agent?) async throws -> [ThreadFolder] {
        let agents = agents
        return try await parts.database.read { try ThreadLists.folders(agent, of: agents, in: $0) }
    }

    private var agents: [Agent] { keepers.list.map(\.reader.agent) }

    // MARK: Pages

    /// Items behind a cursor.
    ///
    /// - Throws: ``ThreadIndexError/unknownThread(_:)``, and what the reader throws: `truncated` and `rewritten` mean to begin anew.
    package func page(
        of thread: ThreadReference,
        from cursor: ConversationCursor,
        limits: PageLimits
    ) async throws -> ConversationPage {
        try await read(thread) { reader, path in try reader.page(of: path, from: cursor, limits: limits) }
    }

    /// The last items, or those before a cursor.
    ///
    /// - Throws: Like ``page(of:from:limits:)``.
    package func lastPage(
        of thread: ThreadReference,
        before cursor: ConversationCursor?,
        limits: PageLimits
    ) async throws -> ConversationPage {
        try await read(thread) { reader, path in try reader.lastPage(of: path, before: cursor, limits: limits) }
    }

    /// The picture of one item; nil where the file holds none, or none of at most `limit` bytes.
    ///
    /// - Throws: Like ``page(of:from:limits:)``.
    package func picture(
        of thread: ThreadReference,
        at position: Int64,
        item: String,
        limit: Int
    ) async throws -> HistoryPicture? {
        try await read(thread) { reader, path in
            try reader.picture(of: path, at: position, item: item, limit: limit)
        }
    }

    private func read<Answer: Sendable>(
        _ thread: ThreadReference,
        _ body: @escaping @Sendable (any HistoryReader, String) throws -> Answer
    ) async throws -> Answer {
        guard let keeper = keepers.keeper(of: thread.agent),
            let known = try await self.thread(thread.id, agent: thread.agent)
        else { throw ThreadIndexError.unknownThread(thread) }
        // Found out once: asking for it again and again would cost the same each time.
        guard known.unreadable == nil else { throw ThreadIndexError.unreadable(thread) }
        let reader = keeper.reader
        do {
            do {
                return try await reading.run { try body(reader, known.path) }
            } catch AgentHistoryError.notFound {
                // Moved a moment ago, before the index noticed.
                let path = try await keeper.find(thread.id).first { $0.path != known.path }?.path
                guard let path else { throw ThreadIndexError.unknownThread(thread) }
                return try await reading.run { try body(reader, path) }
            }
        } catch let error as AgentHistoryError where AgentThread.Unreadable(error) != nil {
            throw ThreadIndexError.unreadable(thread)
        }
    }

    // MARK: Searching

    /// Looks for words in titles and texts.
    ///
    /// - Throws: ``ThreadIndexError``.
    package func search(_ query: ThreadSearch) async throws -> SearchPage {
        let agents = agents
        let isWhole = fill.isWhole
        let listed = progress
        return try await parts.database.read(on: searching) { database in
            var hits = try TextSearch.hits(query, of: agents, in: database)
            if let listed {
                hits.progress = listed
            } else if !isWhole {
                let total = try TextStore.shownCount(in: database)
                let due = try TextStore.dueCount(in: database)
                hits.progress = IndexingProgress(done: total - due, total: total)
            }
            return hits
        }
    }

    // MARK: For tests

    /// Looks at all files once, and reads all text that is due: what ``run()`` does in the background.
    func catchUp() async throws {
        for keeper in keepers.list {
            try await keeper.takeNames()
            try await keeper.look()
        }
        while try await fill.round() {}
    }

    /// Reads a page of each of a few files. False where nothing is due.
    func fillRound() async throws -> Bool { try await fill.round() }

    var keeperList: [ReaderKeeper] { keepers.list }
    var isInMemory: Bool { parts.database.isInMemory }
}
