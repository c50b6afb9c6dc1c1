package import Generations
package import Kernel
package import MigrationContainer

/// Restores a package into a new generation beside the current one, and makes it the current one in one step. Until then, whatever happens,
/// the data of this device is as it was; afterwards it can be gone back to.
package actor MigrationRestoreService {
    private let store: GenerationStore
    private let database: any DatabaseBuilding
    private let live: any LiveData
    private let time: any TimeSource
    private let work: BlockingWork
    private var isBusy = false

    /// - Parameters:
    ///   - store: The phone's one store.
    ///   - work: Threads for this alone: reading a package takes one until its end.
    package init(
        store: GenerationStore,
        database: any DatabaseBuilding,
        live: any LiveData,
        time: any TimeSource = SystemTime(),
        work: BlockingWork = BlockingWork("restore", width: 2, urgency: .bulk)
    ) {
        self.store = store
        self.database = database
        self.live = live
        self.time = time
        self.work = work
    }

    /// Checks that this device has room for a package, before it is sent.
    ///
    /// - Throws: ``RestoreError/diskFull(needed:free:)``, ``RestoreError/impossibleSize``; what the disk says.
    package nonisolated func checkSpace(for plan: RestorePlan) async throws {
        try await work.run { [store] in try RestoreSpace.check(plan, staged: 0, room: try store.files.room()) }
    }

    /// Reads a package that the person agreed to, builds the database, and puts everything on the disk: then ``commit()`` takes a moment. The
    /// data of this device is still as it was. A package of which a part came before, in this run of the program or an earlier one, goes on.
    ///
    /// - Parameters:
    ///   - step: Told on the thread that reads.
    ///   - release: Told, on the same thread, which parts of the package's archive are on the disk as files, in bytes of the plaintext. The package
    ///     need not have them any more: a later reading takes them from the sink (``RestoreSink/known``). A part may be told again when it grew.
    ///   - read: Reads the package from its first byte into the sink, for example with a ``PackageReader`` behind a ``PackagePipe``.
    /// - Throws: ``RestoreError``, `GenerationsError`, what `read` throws, and what the builder says of the records. What came is kept for
    ///   going on, until ``cancel()`` or for a week.
    package func restore(
        _ plan: RestorePlan,
        step: @escaping @Sendable (RestoreStep) -> Void = { _ in },
        release: (@Sendable (Range<UInt64>) -> Void)? = nil,
        read: @escaping @Sendable (any RestoreSink) throws -> PackageContents
    ) async throws -> RestoreReport {
        let run = RestoreRun(
            plan: plan,
            store: store,
            database: database,
            now: time.date.millisecondsSince1970,
            interval: StagedFiles.interval(for: plan),
            step: step,
            release: release
        )
        return try await alone { [work] in try await work.run { try run.run(read) } }
    }

    /// Replaces the data of this device by what was restored. It goes on when its task is cancelled.
    ///
    /// - Throws: ``RestoreError/notReady`` before ``restore(_:step:release:read:)`` returned. `GenerationsError`; but for `unsettled` the data is as it
    ///   was.
    package func commit() async throws -> RestoreResult {
        try await alone { [self, store, work] in
            guard let staged = store.staged, staged.phase == .verified else { throw RestoreError.notReady }
            let report = try await work.finish { try RestoreReportFile.read(of: staged.generation, in: store) }
            let commit = try await replacing { try store.commit() }
            return RestoreResult(
                report: report,
                undo: commit.kept.map { Self.offer($0, changes: 0) },
                leavesRemains: commit.cleanupFailure != nil
            )
        }
    }

    /// Removes what came of a package. Does nothing where nothing came, and after the commit.
    package func cancel() async throws {
        try await alone { [store, work] in try await work.finish { try store.discardStaged() } }
    }

    /// The report on the data that this device has; nil where it was not restored.
    package nonisolated func report() async throws -> RestoreReport? {
        try await work.run { [store] in
            guard let current = try store.current() else { return nil }
            return try RestoreReportFile.readIfThere(of: current, in: store)
        }
    }

    // MARK: The way back

    /// What can be gone back to, and what that would hide; nil for nothing.
    package nonisolated func undoOffer() async throws -> UndoOffer? {
        guard let kept = store.kept else { return nil }
        return Self.offer(kept, changes: try await live.changes(sinceMilliseconds: kept.sinceMilliseconds))
    }

    /// Goes back to the data that was replaced. The restored data is kept in its place, so that this is undone by the same call.
    ///
    /// - Returns: The way back from there.
    /// - Throws: `GenerationsError`.
    package func undo() async throws -> UndoOffer? {
        try await alone { [self, store] in
            let commit = try await replacing { try store.rollback() }
            return commit.kept.map { Self.offer($0, changes: 0) }
        }
    }

    /// Removes the data that was replaced, for a person who wants its space: there is no way back then.
    package func removeReplaced() async throws {
        try await alone { [store, work] in try await work.finish { try store.discardKept() } }
    }

    /// Removes the replaced data where its time is over or the disk is nearly full. Called at each start and once an hour.
    ///
    /// - Returns: Whether it was removed; false also while something else is under way.
    @discardableResult
    package func applyRetention() async throws -> Bool {
        guard !isBusy else { return false }
        return try await alone { [store, work] in try await work.run { try store.applyRetention() } }
    }

    private static func offer(_ kept: KeptGeneration, changes: Int?) -> UndoOffer {
        UndoOffer(
            untilMilliseconds: kept.untilMilliseconds,
            sinceMilliseconds: kept.sinceMilliseconds,
            changesSince: changes
        )
    }

    /// Changes the current generation while nobody has it open. Whatever comes of that, the current one is opened again.
    private func replacing(_ change: @escaping @Sendable () throws -> GenerationCommit) async throws -> GenerationCommit
    {
        let result: Result<GenerationCommit, any Error>
        do {
            try await live.pause()
            result = .success(try await work.finish(change))
        } catch {
            result = .failure(error)
        }
        do {
            try await live.resume()
        } catch {
            // The change's own error, where there is one, says more.
            _ = try result.get()
            throw error
        }
        return try result.get()
    }

    /// One call at a time: another in between would find a generation that is half there.
    private func alone<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        guard !isBusy else { throw RestoreError.busy }
        isBusy = true
        defer { isBusy = false }
        return try await body()
    }
}
