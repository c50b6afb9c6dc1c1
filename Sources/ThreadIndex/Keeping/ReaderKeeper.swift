import AgentHistory
import Conversations
import Foundation
import GRDB
import Kernel
import Logging
import Synchronization

/// Keeps the rows of one agent's files like the files.
final class ReaderKeeper: Sendable {
    /// The time between two looks where nothing tells of changes; the walk itself may not take more than a twentieth of it.
    private static let pollInterval = Duration.seconds(5)
    /// The time between two looks for changes that a watch cannot see, such as writes of other machines.
    private static let safetyInterval = Duration.seconds(300)
    /// How long changes are collected, so that a line that is written in pieces is one change.
    private static let collecting = Duration.milliseconds(20)
    /// The time from one summary of a growing file to the next.
    private static let resting = Duration.milliseconds(230)
    private static let writtenLimit = 4096
    /// Files that one call reads.
    private static let sliceSize = 128
    /// Slices that are read or wait to be written down.
    private static let lookahead = 8
    /// Files of the first transaction of a first look, and of the later ones: a list that is shown soon, and few transactions.
    private static let transactionSizes = (first: 128, most: 1024)

    let reader: any HistoryReader
    private let parts: IndexParts

    private struct State {
        var written: Set<String> = []
        var wantsLook = false
        var wantsNames = false
        /// The first look has ended: from then on each change is told.
        var hasLooked = false
        var lookTook = Duration.zero
        var isIncomplete = false
    }

    private let state = Mutex(State())
    private let wake = Signal()
    private let pollWake = Signal()

    init(_ reader: any HistoryReader, _ parts: IndexParts) {
        self.reader = reader
        self.parts = parts
    }

    func run(_ watch: (any FolderWatch)?) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.listen(to: watch) }
            group.addTask { await self.work() }
            group.addTask { await self.poll() }
            group.addTask {
                while await self.parts.time.pause(for: Self.safetyInterval) { self.requestLook() }
            }
        }
    }

    /// Looks at everything again; the files found are new to the database.
    func begin() {
        state.withLock { $0.hasLooked = false }
        parts.note(reader.agent) { $0 = IndexingProgress(done: 0, total: 0) }
        requestLook()
    }

    private func requestLook() {
        state.withLock {
            $0.wantsLook = true
            $0.wantsNames = true
        }
        wake.raise()
    }

    // MARK: Hearing of changes

    private func listen(to watch: (any FolderWatch)?) async {
        guard let watch else {
            missChanges("there is no watch")
            requestLook()
            return
        }
        let reader = reader
        // Watched first: what is written during the first look is heard.
        let changes = try? await parts.disk.finish {  // the work does not throw
            watch.changes(below: reader.folders, files: [reader.namesPath].compactMap(\.self))
        }
        requestLook()
        if let changes { for await change in changes { hear(change) } }
        if !Task.isCancelled { missChanges("the watch ended") }
    }

    private func hear(_ change: FolderChange) {
        switch change {
        case .written(let path), .moved(let path):
            if path == reader.namesPath {
                state.withLock { $0.wantsNames = true }
            } else if case .written = change {
                guard FileName.isHistory(path) else { return }
                // Before everything else: followers read on at once.
                if let thread = parts.thread(at: path) { parts.changes.send(.grown(thread)) }
                state.withLock { state in
                    if state.written.count < Self.writtenLimit {
                        state.written.insert(path)
                    } else {
                        state.wantsLook = true
                    }
                }
            } else {
                // A history, or a folder of them. Other files come and go while agents write.
                let name = FileName.last(path)
                guard FileName.isHistory(path) || !name.contains(".") else { return }
                state.withLock { $0.wantsLook = true }
            }
            wake.raise()
        case .lost:
            requestLook()
        case .incomplete(let reason):
            missChanges(reason)
        }
    }

    private func missChanges(_ reason: String) {
        let isFirst = state.withLock { state in
            defer { state.isIncomplete = true }
            return !state.isIncomplete
        }
        guard isFirst else { return }
        parts.logger.notice(
            "changes of threads are looked for every few seconds",
            metadata: ["agent": "\(reader.agent)", "reason": "\(reason)"]
        )
        pollWake.raise()
    }

    private func poll() async {
        for await _ in pollWake.raised {
            while await parts.time.pause(for: max(Self.pollInterval, state.withLock(\.lookTook) * 20)) { requestLook() }
        }
    }

    // MARK: Looking

    private func work() async {
        for await _ in wake.raised {
            // Nothing is collected before the first look, which sees everything.
            let isFirst = state.withLock { !$0.hasLooked }
            if !isFirst { guard await parts.time.pause(for: Self.collecting) else { return } }
            let isDone = await lookAsWanted()
            guard await parts.time.pause(for: isDone ? Self.resting : Self.pollInterval) else { return }
            if !isDone { requestLook() }
        }
    }

    /// - Returns: Whether the rows are like the files; false to look again later.
    private func lookAsWanted() async -> Bool {
        let wanted = state.withLock { state in
            defer { (state.wantsLook, state.wantsNames, state.written) = (false, false, []) }
            return (look: state.wantsLook, names: state.wantsNames, written: state.written)
        }
        do {
            if wanted.names { try await takeNames() }
            if wanted.look { try await look() }
            if !wanted.written.isEmpty { try await refresh(wanted.written) }
            return true
        } catch is CancellationError {
            return true
        } catch {
            parts.logger.notice("the index of threads is behind", metadata: ["reason": "\(error)"])
            return false
        }
    }

    /// Compares all files with the rows, and reads what is new or changed.
    func look() async throws {
        let began = parts.time.now
        let reader = reader
        let listing = try await parts.disk.finish { reader.files(limit: HistoryListing.limit) }
        for problem in listing.problems {
            parts.logger.debug("a history cannot be looked at", metadata: ["reason": "\(problem)"])
        }
        let rows = try await parts.database.read { try FileStore.rows(of: reader.agent, in: $0) }
        let isFirst = state.withLock { !$0.hasLooked }
        if isFirst { parts.learn(rows) }
        let plan = ScanPlan(listing, rows)
        if isFirst { parts.note(reader.agent) { $0 = IndexingProgress(done: 0, total: plan.read.count) } }
        if !plan.moved.isEmpty {
            let moved = plan.moved
            parts.take(
                try await parts.database.write { database in
                    try moved.reduce(into: FileChanges()) { result, move in
                        result.merge(try FileStore.move(move.row, to: move.entry, in: database))
                    }
                }
            )
        }
        if !isFirst {
            for (_, row) in plan.read {
                if let thread = row?.thread { parts.changes.send(.grown(thread)) }
            }
        }
        // Those that were there before are told of, also at the first look: readers of an earlier list have them.
        try await read(plan.read.filter { $0.row != nil }.map(\.entry), tells: true)
        let new = plan.read.filter { $0.row == nil }.map(\.entry)
        if isFirst {
            try await read(new) { files in try await self.parts.database.write { try FileStore.add(files, in: $0) } }
        } else {
            try await read(new, tells: true)
        }
        if !plan.gone.isEmpty {
            let gone = plan.gone
            parts.take(try await parts.database.write { try FileStore.remove(gone, in: $0) })
        }
        state.withLock { state in
            state.lookTook = parts.time.now - began
            state.hasLooked = true
        }
        parts.note(reader.agent) { $0 = nil }
        parts.textDue.raise()
    }

    private func read(_ entries: [HistoryEntry], tells: Bool) async throws {
        try await read(entries) { files in
            try await self.parts.database.write { try FileStore.apply(files, tells: tells, in: $0) }
        }
    }

    /// Reads files while those before them are written down.
    private func read(
        _ entries: [HistoryEntry],
        _ write: @Sendable ([ScannedFile]) async throws -> FileChanges
    ) async throws {
        var rest = entries[...]
        var waiting: (count: Int, files: [ScannedFile]) = (0, [])
        var wanted = Self.transactionSizes.first
        func flush() async throws {
            let (count, files) = waiting
            waiting = (0, [])
            wanted = min(2 * wanted, Self.transactionSizes.most)
            parts.take(try await write(files))
            parts.note(reader.agent) { $0?.done += count }
        }
        try await withThrowingTaskGroup(of: (count: Int, files: [ScannedFile]).self) { group in
            func begin() {
                guard !rest.isEmpty else { return }
                let slice = Array(rest.prefix(Self.sliceSize))
                rest = rest.dropFirst(Self.sliceSize)
                group.addTask {
                    let files = try await self.parts.disk.finish { slice.compactMap { self.read($0) } }
                    return (slice.count, files)
                }
            }
            for _ in 0..<Self.lookahead { begin() }
            while let (count, files) = try await group.next() {
                try Task.checkCancellation()
                begin()
                waiting.count += count
                waiting.files += files
                if waiting.count >= wanted { try await flush() }
            }
            if waiting.count > 0 { try await flush() }
        }
    }

    /// Nil for a file that cannot be read now.
    private func read(_ entry: HistoryEntry) -> ScannedFile? {
        let began = ProcessorTime.ofThread
        do {
            let thread = try reader.thread(of: entry, names: [:])
            return ScannedFile(entry: entry, thread: thread, cost: ProcessorTime.ofThread - began)
        } catch {
            switch error {
            case .tooLarge, .tooCostly:
                // Its row says so, and it is not opened again until the file is another one.
                parts.logger.notice("a history is too large to be read", metadata: ["reason": "\(error)"])
                return ScannedFile(
                    entry: entry,
                    thread: AgentThread.Unreadable(error).map { AgentThread(entry, unreadable: $0) },
                    cost: ProcessorTime.ofThread - began
                )
            case .damaged:
                // It stays like this until the file is another one.
                parts.logger.debug("a history is left out", metadata: ["reason": "\(error)"])
                return ScannedFile(entry: entry, thread: nil)
            case .notFound, .denied, .notOrdinary, .symbolicLink, .truncated, .rewritten, .system:
                parts.logger.debug("a history cannot be read now", metadata: ["reason": "\(error)"])
                return nil
            }
        }
    }

    /// Reads files anew that were written to.
    private func refresh(_ paths: Set<String>) async throws {
        let agent = reader.agent
        let rows = try await parts.database.read { database in
            try paths.compactMap { try FileStore.row(at: $0, of: agent, in: database) }
        }
        let found = try await parts.disk.finish { rows.map { ($0, FileIdentity.ofFile(at: $0.path)) } }
        var changed: [HistoryEntry] = []
        for (row, identity) in found {
            guard let identity else {
                // Gone, or compressed.
                requestLook()
                continue
            }
            guard identity != row.identity else { continue }
            changed.append(HistoryEntry(agent: agent, path: row.path, identity: identity, isArchived: row.isArchived))
        }
        try await read(changed, tells: true)
    }

    /// Looks whether the file of names changed, and takes the names.
    func takeNames() async throws {
        let reader = reader
        guard let path = reader.namesPath else { return }
        let known = try await parts.database.read { try FileStore.namesIdentity(of: reader.agent, in: $0) }
        let found = try await parts.disk.finish { () -> (FileIdentity?, [String: String])? in
            let identity = FileIdentity.ofFile(at: path)
            return identity == known ? nil : (identity, reader.names())
        }
        guard let (identity, names) = found else { return }
        parts.take(
            try await parts.database.write {
                try FileStore.take(names: names, from: identity, of: reader.agent, in: $0)
            }
        )
    }

    // MARK: Files that the index has not seen

    /// Looks for the files of a thread by their names, and takes them into the index.
    ///
    /// - Returns: The files, the newest first.
    func find(_ id: String) async throws -> [HistoryEntry] {
        guard !id.isEmpty, id.utf8.count <= 200 else { return [] }
        let reader = reader
        let found = try await parts.disk.finish { () -> [ScannedFile] in
            let entries = reader.files(limit: HistoryListing.limit).entries.lazy
                .filter { FileName.last($0.path).contains(id) }
            // More than a few are the work of a look at all files.
            return entries.prefix(4).compactMap { self.read($0) }.filter { $0.thread?.id == id }
        }
        guard !found.isEmpty else { return [] }
        parts.take(try await parts.database.write { try FileStore.apply(found, tells: true, in: $0) })
        requestLook()
        return found.map(\.entry)
    }
}
