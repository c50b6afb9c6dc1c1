import Foundation
import Generations
import Synchronization

/// Makes a staged package ready for the commit: checks that all of it came, builds the database, tries the key, and puts everything on the
/// disk. It may end at any call and is begun again. Blocks.
struct RestoreFinish {
    let staging: PackageStaging
    let database: any DatabaseBuilding
    let sections: any StatePreparing
    let checks: PackageChecks
    /// Milliseconds since 1970-01-01T00:00:00Z.
    let now: Int64
    let step: @Sendable (RestoreStep) -> Void

    private var store: GenerationStore { staging.store }
    private var files: any FileSystemPort { staging.store.files }
    private var generation: Generation { staging.generation }

    func run() throws -> RestoreReport {
        // Verified by an earlier run, and on the disk since: it is not touched any more.
        if store.staged?.phase == .verified { return try verifiedReport() }
        step(.checkingFiles)
        let staged = staging.state.withLock { state in
            Staged(
                entries: Set(state.entries.keys),
                unknown: state.unknown,
                files: state.mediaFiles,
                bytes: state.mediaBytes
            )
        }
        try checkCompleteness(staged)
        try checks.checkManifest(try entry(EntryPlace.manifest))
        let key = try checks.openKey(try entry(EntryPlace.key))
        if !staging.isComplete {
            try staging.checkpoint([])
            try store.complete()
        }
        step(.buildingDatabase)
        let request = try self.request(staged)
        let outcome = try build(request)
        step(.preparingSections)
        let names = try prepareSections()
        step(.tryingKey)
        try database.probe(request, key: key)
        let report = self.report(outcome, staged, sections: names)
        try files.replace(Self.report(of: generation), with: RestoreReportFile.encode(report))
        step(.writingToDisk)
        try store.verify(key: key, restoredFrom: staging.plan.backupID)
        return report
    }

    private func verifiedReport() throws -> RestoreReport {
        let bytes = try files.contents(of: Self.report(of: generation), limit: RestoreReportFile.byteLimit)
        guard let report = bytes.flatMap(RestoreReportFile.decode) else { throw RestoreError.notReady }
        return report
    }

    static func report(of generation: Generation) -> StorePath { generation.folder.appending("report.json") }

    private struct Staged {
        let entries: Set<String>
        let unknown: [String]
        let files: Int
        let bytes: UInt64
    }

    private func checkCompleteness(_ staged: Staged) throws(RestoreError) {
        guard staging.state.withLock({ $0.open == nil && !$0.isBroken }) else { throw .notReady }
        let wanted = [EntryPlace.manifest, EntryPlace.key] + RecordKind.allCases.map(\.entryName)
        for name in wanted where !staged.entries.contains(name) { throw .missingEntry(name) }
        for path in (staging.plan.files ?? [:]).keys.sorted() where !staged.entries.contains("media/" + path) {
            throw .missingEntry("media/" + path)
        }
        guard staged.files == staging.plan.mediaFiles, staged.bytes == staging.plan.mediaBytes else {
            throw .mediaMismatch(expected: staging.plan.mediaFiles, found: staged.files)
        }
    }

    private func entry(_ name: String) throws -> [UInt8] {
        let place = try EntryPlace(name, in: generation, archiveBytes: staging.plan.archiveBytes)
        guard let path = place.path, let bytes = try files.contents(of: path, limit: Int(clamping: place.limit)) else {
            throw RestoreError.missingEntry(name)
        }
        return bytes
    }

    private func request(_ staged: Staged) throws(GenerationsError) -> DatabaseRequest {
        var records: [RecordKind: StorePath] = [:]
        for kind in RecordKind.allCases {
            records[kind] = generation.incoming.appending(try StorePath(kind.entryName))
        }
        return DatabaseRequest(
            files: files,
            schemaVersion: staging.plan.schemaVersion,
            records: records,
            database: generation.database,
            media: generation.media,
            mediaFiles: Set(staged.entries.lazy.filter { $0.hasPrefix("media/") }.map { String($0.dropFirst(6)) })
        )
    }

    private static let besideDatabase = ["-wal", "-shm", "-journal"]

    private func build(_ request: DatabaseRequest) throws -> DatabaseOutcome {
        let beside = try Self.besideDatabase.map { try StorePath(generation.database.text + $0) }
        for path in [generation.database] + beside { try files.removeFileIfThere(path) }
        let outcome = try database.build(request)
        guard try files.status(of: generation.database)?.kind == .file else { throw RestoreError.databaseNotClosed }
        for path in beside where try files.status(of: path) != nil { throw RestoreError.databaseNotClosed }
        for kind in RecordKind.allCases {
            guard let entity = kind.entityName, let expected = staging.plan.counts[entity] else { continue }
            let found = outcome.counts[kind] ?? 0
            guard found == expected else {
                throw RestoreError.countMismatch(entity: entity, expected: expected, found: found)
            }
        }
        return outcome
    }

    private func prepareSections() throws -> [String] {
        let folder = generation.incoming.appending("sections")
        try files.removeTree(generation.state)
        guard try files.status(of: folder) != nil else { return [] }
        return try sections.prepare(sections: folder, state: generation.state, files: files)
    }

    private func report(_ outcome: DatabaseOutcome, _ staged: Staged, sections: [String]) -> RestoreReport {
        let plan = staging.plan
        // The old phone said why a file did not come; the database only sees that it is not there.
        let told = Set(plan.broken.map(\.fileName))
        let broken =
            plan.broken.map { medium in
                outcome.broken.first { $0.fileName == medium.fileName }.map { found in
                    var medium = medium
                    medium.storyID = found.storyID
                    medium.storyMilliseconds = found.storyMilliseconds
                    return medium
                } ?? medium
            } + outcome.broken.filter { !told.contains($0.fileName) }
        let limit = RestoreReport.listLimit
        return RestoreReport(
            backupID: plan.backupID,
            finishedAtMilliseconds: now,
            schemaVersion: plan.schemaVersion,
            counts: Dictionary(
                uniqueKeysWithValues: outcome.counts.map { ($0.key.entityName ?? "relations", $0.value) }
            ),
            mediaFiles: staged.files,
            mediaBytes: staged.bytes,
            proof: plan.files == nil ? .sealOnly : .hashes,
            brokenCount: broken.count,
            broken: Array(broken.prefix(limit)),
            orphanCount: outcome.orphans.count,
            orphans: Array(outcome.orphans.sorted().prefix(limit)),
            findings: Array(outcome.findings.prefix(limit)),
            unknownCount: staged.unknown.count,
            unknown: Array(staged.unknown.sorted().prefix(limit)),
            sections: sections
        )
    }
}
