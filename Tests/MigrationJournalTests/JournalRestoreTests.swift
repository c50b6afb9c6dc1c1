import Foundation
import Generations
import Kernel
import MigrationContainer
import MigrationRestore
import Testing

@testable import Journal
@testable import MigrationJournal

@Suite("A journal that a package replaces", .timeLimit(.minutes(4)))
struct JournalRestoreTests {
    private struct ClosedJournal: LiveData {
        func pause() async throws {}
        func resume() async throws {}
        func changes(sinceMilliseconds: Int64) async throws -> Int? { nil }
    }

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "mj-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        try await body(root)
    }

    private func stories(_ store: GenerationStore) async throws -> [String?] {
        let current = try #require(try store.current())
        let journal = try JournalStore(generation: store.url(of: current.folder))
        let contents = try await journal.read { reading in
            var contents: [String?] = []
            try reading.forEach(.stories) { contents.append(($0 as? Story)?.content) }
            return contents
        }
        try journal.close()
        return contents
    }

    @Test(
        "a sealed package's stories and media become the journal, what is lost is told, and the old journal comes back whole"
    )
    func wholeLife() async throws {
        try await withFolder { root in
            let state = root.appending(path: "state")
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            let files = try SystemFileSystem(state)
            let store = try GenerationStore(files: files, keys: FileKeyStore(files))
            _ = try store.currentOrFirst { generation in
                let builder = try JournalBuilder(generation: store.url(of: generation.folder))
                try builder.add(.stories, ["id": "old", "createdAt": 1, "content": "old words"])
                _ = try builder.finish(
                    media: MediaVault(store.url(of: generation.media), keys: MediaKeys(master: PackedJournal.key))
                )
            }
            let crypto = MigrationCryptoService()
            let package = try await MigrationBackupService(crypto: crypto, work: BlockingWork("backup-test", width: 1))
                .makePackage(
                    of: PackedJournal(in: root.appending(path: "source")),
                    description: BackupDescription(backupID: UUID(), appVersion: "1.2.0", createdAt: 1_790_000_000),
                    password: MigrationPassword(new: "correct horse battery"),
                    sessionKey: nil,
                    cost: ScryptCost(logN: 14, parallelism: 1)
                )
            let outer = try package.outerManifest(nil)
            let manifest = try Manifest(ManifestCopies.read(outer))
            let plan = RestorePlan(manifest: manifest, binding: [1], archiveBytes: package.archiveLength)
            let service = MigrationRestoreService(store: store, database: JournalDatabases(), live: ClosedJournal())
            let header = package.header
            let report = try await service.restore(plan) { sink in
                let stream = package.makeStream()
                return try PackageReader(header: header, crypto: crypto, outerManifest: outer, sink: sink).read {
                    try stream.next() ?? []
                }
            }
            #expect(report.counts == ["settings": 1, "categories": 2, "stories": 2, "media": 2, "relations": 1])
            #expect(report.lost.map(\.mediaID) == ["m2"] && report.lost.map(\.storyID) == ["s2"])
            #expect(report.lostCount == 1 && report.orphanCount == 0 && report.mediaFiles == 1)
            #expect(try await stories(store) == ["old words"])
            let result = try await service.commit()
            #expect(result.report == report && !result.leavesRemains)
            #expect(try await stories(store) == ["*words* of the sea", "more"])
            let current = try #require(try store.current())
            let vault = MediaVault(
                store.url(of: current.media),
                keys: try MediaKeys(master: store.masterKey(of: current).bytes)
            )
            try vault.reader(try #require(MediaPath(PackedJournal.path)), keyId: "k1").check()
            _ = try await service.undo()
            #expect(try await stories(store) == ["old words"])
        }
    }
}
