import Generations
import MigrationContainer

/// Reads a package into a staged generation and makes that ready for its commit. It may end at any call and is begun again with the same
/// package. Blocks.
struct RestoreRun: Sendable {
    let plan: RestorePlan
    let store: GenerationStore
    let database: any DatabaseBuilding
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let now: Int64
    var interval = StagedFiles.interval
    let step: @Sendable (RestoreStep) -> Void
    var release: (@Sendable (Range<UInt64>) -> Void)?

    /// - Parameter read: Reads the package from its first byte into the sink, and returns when it is known to be whole.
    func run(_ read: (any RestoreSink) throws -> PackageContents) throws -> RestoreReport {
        let staged = try stage()
        // Verified by an earlier run, and on the disk since: it is not touched any more.
        if staged.phase == .verified { return try RestoreReportFile.read(of: staged.generation, in: store) }
        let staging = try PackageStaging(
            plan,
            into: staged.generation,
            store: store,
            database: database,
            interval: interval,
            step: step,
            release: release
        )
        let contents = try read(staging)
        try staging.end()
        guard let key = staging.key else { throw RestoreError.outOfOrder }
        try store.complete()
        step(.database)
        let outcome = try staging.openBuild().finish(key: key)
        try check(outcome, contents)
        step(.key)
        let probe = try database.probe(staged.generation, files: store.files, key: key)
        guard !probe.isKeyWrong else { throw RestoreError.keyDoesNotFit }
        try staging.checkDatabaseIsClosed()
        let report = report(outcome, contents)
        try RestoreReportFile.write(report, of: staged.generation, in: store)
        step(.disk)
        try store.verify(key: key, restoredFrom: plan.manifest.backupId)
        return report
    }

    private func stage() throws -> StagedGeneration {
        guard let staged = store.staged else {
            try RestoreSpace.check(plan, staged: 0, room: try store.files.room())
            return try store.stage(binding: plan.binding)
        }
        guard staged.binding == plan.binding else { throw RestoreError.otherPackage }
        return staged
    }

    /// Every record that came is in the database, or was left out for a reason.
    private func check(_ outcome: DatabaseOutcome, _ contents: PackageContents) throws(RestoreError) {
        for entity in MigrationEntity.allCases {
            let expected = contents.recordCounts[entity] ?? 0
            let found = (outcome.counts[entity] ?? 0) + (outcome.leftOut[entity] ?? 0)
            guard found == expected else {
                throw .recordsLost(entity.rawValue, expected: expected, found: found)
            }
        }
    }

    private func report(_ outcome: DatabaseOutcome, _ contents: PackageContents) -> RestoreReport {
        let lost = merged(outcome.lost, contents.manifest.brokenMedia ?? [])
        let more = max(outcome.lostCount, contents.manifest.options.brokenMediaCount)
        return RestoreReport(
            backupID: contents.manifest.backupId,
            finishedAtMilliseconds: now,
            counts: names(outcome.counts),
            mediaFiles: contents.manifest.mediaStats.totalFiles,
            mediaBytes: contents.manifest.mediaStats.totalBytes,
            proof: contents.hasFileList ? .checksums : .sealsOnly,
            lostCount: max(lost.count, more),
            lost: Array(lost.prefix(RestoreReport.listLimit)),
            orphanCount: outcome.orphanCount,
            orphans: Array(outcome.orphans.prefix(RestoreReport.listLimit)),
            leftOut: names(outcome.leftOut.filter { $0.value > 0 })
        )
    }

    private func names(_ counts: [MigrationEntity: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }

    /// The database knows the stories, and the old phone why a file did not come.
    private func merged(_ found: [LostMedium], _ told: [BrokenMedium]) -> [LostMedium] {
        let reasons = Dictionary(told.map { ($0.fileName, $0) }) { first, _ in first }
        let named = Set(found.map(\.fileName))
        return found.map { medium in
            var medium = medium
            medium.reason = reasons[medium.fileName]?.reason ?? medium.reason
            return medium
        }
            + told.filter { !named.contains($0.fileName) }
            .map { LostMedium(mediaID: $0.mediaId, fileName: $0.fileName, reason: $0.reason) }
    }
}
