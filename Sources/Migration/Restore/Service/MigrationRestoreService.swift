package import Generations
package import Kernel

/// Restores a package into a new generation beside the current one, and makes it the current one in one step. Until then, whatever happens,
/// the data of this device is as it was; afterwards it can be gone back to.
package actor MigrationRestoreService {
    private let store: GenerationStore
    private let database: any DatabaseBuilding
    private let sections: any StatePreparing
    private let live: any LiveData
    private let schemas: ClosedRange<Int>
    private let time: any TimeSource
    private let work: BlockingWork
    private var isBusy = false

    /// - Parameters:
    ///   - store: The phone's one store.
    ///   - schemas: The versions of records that this program reads.
    ///   - work: A lane for the disk, for this alone: a restore is long.
    package init(
        store: GenerationStore,
        database: any DatabaseBuilding,
        sections: any StatePreparing,
        live: any LiveData,
        schemas: ClosedRange<Int>,
        time: any TimeSource = SystemTime(),
        work: BlockingWork = BlockingWork("restore", width: 1, urgency: .bulk)
    ) {
        self.store = store
        self.database = database
        self.sections = sections
        self.live = live
        self.schemas = schemas
        self.time = time
        self.work = work
    }

    /// Checks that this program can read a package, before anybody takes the trouble to send it.
    ///
    /// - Throws: ``RestoreError/needsAppUpdate(theirs:ours:)``, ``RestoreError/tooOld(theirs:oldest:)``.
    package nonisolated func check(schemaVersion: Int) throws(RestoreError) {
        guard schemaVersion <= schemas.upperBound else {
            throw .needsAppUpdate(theirs: schemaVersion, ours: schemas.upperBound)
        }
        guard schemaVersion >= schemas.lowerBound else {
            throw .tooOld(theirs: schemaVersion, oldest: schemas.lowerBound)
        }
    }

    /// Begins with a package that the person agreed to, or goes on with it where an earlier run, or a full disk, ended.
    ///
    /// - Throws: ``RestoreError``, `GenerationsError`.
    package func begin(_ plan: RestorePlan) async throws -> PackageStaging {
        try check(schemaVersion: plan.schemaVersion)
        return try await alone { [store, work] in
            try await work.run { try PackageStaging(plan, store: store) }
        }
    }

    /// Checks all that came, builds the database and puts everything on the disk. The data of this device is still as it was.
    ///
    /// - Throws: ``RestoreError``, `GenerationsError`, and what the builders say of the data.
    package func finish(
        _ staging: PackageStaging,
        checks: PackageChecks,
        step: @escaping @Sendable (RestoreStep) -> Void = { _ in }
    ) async throws -> RestoreReport {
        let finish = RestoreFinish(
            staging: staging,
            database: database,
            sections: sections,
            checks: checks,
            now: time.date.millisecondsSince1970,
            step: step
        )
        return try await alone { [work] in try await work.run { try finish.run() } }
    }

    /// Replaces the data of this device by what was restored. It goes on when its task is cancelled: half of it there is not.
    ///
    /// - Throws: `GenerationsError`; but for `unsettled` the data is as it was.
    package func commit() async throws -> RestoreResult {
        try await alone { [self] in
            guard store.staged?.phase == .verified else { throw RestoreError.notReady }
            let commit = try await replacing { [store] in try store.commit() }
            guard let report = try await report() else { throw RestoreError.notReady }
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

    /// The report of the data that this device has; nil where it was not restored.
    package func report() async throws -> RestoreReport? {
        try await work.run { [store] in
            guard let current = try store.current() else { return nil }
            let path = RestoreFinish.report(of: current)
            return try store.files.contents(of: path, limit: RestoreReportFile.byteLimit)
                .flatMap(RestoreReportFile.decode)
        }
    }

    // MARK: The way back

    /// What can be gone back to, and what that would hide; nil for nothing.
    package func undoOffer() async throws -> UndoOffer? {
        guard let kept = store.kept else { return nil }
        return Self.offer(kept, changes: try await live.changes(sinceMilliseconds: kept.sinceMilliseconds))
    }

    /// Goes back to the data that was replaced. The restored data is kept in its place, so that this can be undone by the same call.
    ///
    /// - Returns: The way back from there.
    /// - Throws: `GenerationsError`.
    package func undo() async throws -> UndoOffer? {
        try await alone { [self] in
            let commit = try await replacing { [store] in try store.rollback() }
            return commit.kept.map { Self.offer($0, changes: 0) }
        }
    }

    /// Removes the data that was replaced, for a person who wants its space: there is no way back then.
    package func removeReplaced() async throws {
        try await alone { [store, work] in try await work.finish { try store.discardKept() } }
    }

    /// Removes the replaced data where its time is over or the disk is nearly full. Called at each start and once an hour.
    ///
    /// - Returns: Whether it was removed.
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

    /// Runs a change of the current generation while nobody has it open. Whatever comes of it, the current one is opened again.
    private func replacing(
        _ change: @escaping @Sendable () throws -> GenerationCommit
    ) async throws -> GenerationCommit {
        do {
            try await live.pause()
        } catch {
            try? await live.resume()  // the error says more
            throw error
        }
        let result: Result<GenerationCommit, any Error>
        do {
            result = .success(try await work.finish(change))
        } catch {
            result = .failure(error)
        }
        do {
            try await live.resume()
        } catch  where (try? result.get()) == nil {
            // The change's own error says more.
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
