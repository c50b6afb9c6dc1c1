import Foundation
import Generations
import Kernel
import MigrationContainer
import Testing

@testable import MigrationRestore

@Suite("A sealed package on this machine's disk", .timeLimit(.minutes(4)))
struct SealedPackageTests {
    private struct NoJournal: LiveData {
        func pause() async throws {}
        func resume() async throws {}
        func changes(sinceMilliseconds: Int64) async throws -> Int? { nil }
    }

    private let scene = RestoreScene()
    private let crypto = MigrationCryptoService()

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "mr-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }  // a test's leftovers harm nobody
        try await body(root)
    }

    private func sealed(_ password: String) async throws -> [UInt8] {
        let package = try await MigrationBackupService(crypto: crypto, work: BlockingWork("backup-test", width: 1))
            .makePackage(
                of: ScriptedBackup(package: scene.package),
                description: BackupDescription(backupID: UUID(), appVersion: "1.2.0", createdAt: 1_790_000_000),
                password: MigrationPassword(new: password),
                sessionKey: nil,
                cost: ScryptCost(logN: 14, parallelism: 1)
            )
        let stream = package.makeStream()
        var bytes: [UInt8] = []
        while let next = try stream.next() { bytes += next }
        return bytes
    }

    private func restore(_ bytes: [UInt8], _ service: MigrationRestoreService) async throws -> RestoreReport {
        let password = try MigrationPassword(toOpen: "correct horse battery")
        let header = try await crypto.openHeader(
            Array(bytes.prefix(ContainerHeader.byteCount)),
            password: password,
            sessionKey: nil
        )
        let plan = try scene.package.plan(archiveBytes: 10_000)
        let crypto = crypto
        return try await service.restore(plan) { sink in
            var rest = bytes[...]
            return try PackageReader(header: header, crypto: crypto, sink: sink).read {
                let piece = Array(rest.prefix(1000))
                rest = rest.dropFirst(1000)
                return piece
            }
        }
    }

    @Test("it becomes the current data, and a cut or changed one changes nothing; the whole one goes on after it")
    func wholeLife() async throws {
        let bytes = try await sealed("correct horse battery")
        try await withFolder { root in
            let files = try SystemFileSystem(root)
            let store = try GenerationStore(files: files, keys: FileKeyStore(files), time: scene.clock)
            _ = try store.currentOrFirst { generation in
                try Data("old".utf8).write(to: store.url(of: generation.database))
            }
            let old = try scene.seen(store)
            let service = MigrationRestoreService(store: store, database: scene.databases, live: NoJournal())
            for end in [bytes.count - 1, bytes.count - 20, bytes.count / 2, ContainerHeader.byteCount] {
                await #expect(throws: ContainerError.self, "cut at \(end)") {
                    _ = try await restore(Array(bytes.prefix(end)), service)
                }
                #expect(try scene.seen(store) == old)
            }
            let changed = bytes.dropLast(100) + [bytes[bytes.count - 100] ^ 1] + bytes.suffix(99)
            for damaged in [Array(changed), bytes + [0]] {
                await #expect(throws: ContainerError.self) { _ = try await restore(damaged, service) }
            }
            #expect(try scene.seen(store) == old)
            let report = try await restore(bytes, service)
            #expect(report.proof == .checksums && report.mediaFiles == 3)
            _ = try await service.commit()
            #expect(try scene.seen(store) == scene.newData())
            #expect(try scene.remains(store) == [])
            _ = try await service.undo()
            #expect(try scene.seen(store) == old)
        }
    }
}
