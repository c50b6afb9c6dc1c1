import Foundation
import Generations
import GenerationsTesting
import Kernel
import MigrationContainer
import Synchronization
import Testing

@testable import MigrationRestore

/// The parts of an archive that a restore needs no longer.
private final class Released: Sendable {
    private let state = Mutex<[Range<UInt64>]>([])

    var parts: [Range<UInt64>] { state.withLock(\.self) }

    func add(_ part: Range<UInt64>) { state.withLock { $0.append(part) } }

    /// A package with holes where they were.
    func punched(_ package: [UInt8]) -> [UInt8] {
        var package = package
        for part in parts {
            guard let hole = SegmentCipher.sealedRange(within: part) else { continue }
            for index in hole { package[Int(index)] = 0 }
        }
        return package
    }
}

@Suite("A package that gives back what its files have", .timeLimit(.minutes(4)))
struct GivenBackTests {
    private struct Cut: Error {}

    private let scene: RestoreScene = {
        var scene = RestoreScene()
        scene.package.files = [
            ("Images/2026/03/a.heic", 300_001), ("Images/2026/03/b.heic", 9), ("Images/2026/04/c.heic", 20_000),
            ("Images/2026/04/d.heic", 66_000), ("Videos/2025/12/e.mov", 400_000), ("Videos/2025/12/f.mov", 1),
        ].map { path, size in (path: path, bytes: GivenBackTests.bytes(size)) }
        return scene
    }()
    private let crypto = MigrationCryptoService()

    /// A medium, which begins with the key's first byte.
    private static func bytes(_ count: Int) -> [UInt8] {
        [0x42] + (1..<count).map { index in UInt8(truncatingIfNeeded: index &* 31 &+ count) }
    }

    private func sealed() async throws -> (package: [UInt8], header: ContainerHeader) {
        let made = try await MigrationBackupService(crypto: crypto, work: BlockingWork("backup-test", width: 1))
            .makePackage(
                of: ScriptedBackup(package: scene.package),
                description: BackupDescription(backupID: UUID(), appVersion: "1.2.0", createdAt: 1_790_000_000),
                password: MigrationPassword(new: "correct horse battery"),
                sessionKey: nil,
                cost: ScryptCost(logN: 14, parallelism: 1)
            )
        let stream = made.makeStream()
        var package: [UInt8] = []
        while let next = try stream.next() { package += next }
        return (package, made.header)
    }

    /// - Parameter end: Where the package ends too early, in bytes.
    private func restore(
        _ package: [UInt8],
        _ header: ContainerHeader,
        to store: GenerationStore,
        end: Int = .max,
        passingKnown: Bool = true,
        isDigested: Bool = false,
        release: Released = Released()
    ) throws -> PackageDigests {
        var digests: PackageDigests?
        let run = RestoreRun(
            plan: try scene.package.plan(archiveBytes: UInt64(package.count)),
            store: store,
            database: scene.databases,
            now: 1,
            interval: 50_000,
            step: { _ in },
            release: { release.add($0) }
        )
        _ = try run.run { sink in
            let reader = try PackageReader(header: header, crypto: crypto, isDigested: isDigested, sink: sink)
            let contents = try reader.read(passingKnown: passingKnown) { wanted in
                guard wanted.upperBound <= UInt64(end) else { throw Cut() }
                return Array(package.dropFirst(Int(wanted.lowerBound)).prefix(wanted.count))
            }
            digests = contents.digests
            return contents
        }
        return try #require(digests)
    }

    /// What is there once nothing went wrong, and the checksums of the whole.
    private func expected(
        _ package: [UInt8],
        _ header: ContainerHeader
    ) throws -> (data: VisibleData?, digests: PackageDigests) {
        let store = try scene.open(scene.diskWithJournal())
        let digests = try restore(package, header, to: store, isDigested: true)
        _ = try store.commit()
        return (try scene.seen(store), digests)
    }

    @Test("ended anywhere and begun again, the package is put together without them, to its checksums")
    func holes() async throws {
        let (package, header) = try await sealed()
        let expected = try expected(package, header)
        var holes = 0
        for end in stride(from: 50_000, through: package.count, by: 61_111) {
            let (disk, released) = (try scene.diskWithJournal(), Released())
            let store = try scene.open(disk)
            #expect(throws: Cut.self) {
                try restore(package, header, to: store, end: end, release: released)
            }
            let punched = released.punched(package)
            if punched != package { holes += 1 }
            let next = try scene.open(disk.restarted(after: .powerLoss(seed: UInt64(end))))
            let again = Released()
            let digests = try restore(punched, header, to: next, isDigested: true, release: again)
            #expect(digests == expected.digests)
            // What is told again is what was told, and more.
            #expect(again.punched(package) == again.punched(punched))
            _ = try next.commit()
            #expect(try scene.seen(next) == expected.data, "ended at \(end)")
        }
        #expect(holes > 5)
    }

    @Test("all but the records, the list and a few edges is given back, also of files that are smaller than a segment")
    func share() async throws {
        let (package, header) = try await sealed()
        let (store, released) = (try scene.open(scene.diskWithJournal()), Released())
        _ = try restore(package, header, to: store, release: released)
        let kept = zip(released.punched(package), package).filter { $0 == $1 }.count
        // One segment in front and one behind; zeros that were zeros count as kept.
        #expect(kept < 3 * SegmentCipher.sealedSegment)
        let known = try #require(try StagedArchive.current(in: store))
        #expect(known.ranges.count == 1)
    }

    @Test("a file that is damaged or gone since is found, and all of it comes again into a new generation")
    func damaged() async throws {
        let (package, header) = try await sealed()
        let expected = try expected(package, header)
        for isGone in [false, true] {
            let (store, released) = (try scene.open(scene.diskWithJournal()), Released())
            #expect(throws: Cut.self) {
                try restore(package, header, to: store, end: package.count - 300_000, release: released)
            }
            let punched = released.punched(package)
            #expect(punched != package)
            let staged = try #require(store.staged)
            let path = staged.generation.media.appending("Images/2026/03/a.heic")
            if isGone {
                try store.files.removeFile(path)
            } else {
                try store.files.open(path, .write).write([UInt8](repeating: 7, count: 1), at: 150_000)
            }
            #expect(throws: (any Error).self) { try restore(punched, header, to: store) }
            #expect(throws: (any Error).self) { try restore(punched, header, to: store, passingKnown: false) }
            try store.discardStaged()
            _ = try restore(package, header, to: store)
            _ = try store.commit()
            #expect(try scene.seen(store) == expected.data)
        }
    }

    @Test("room is needed for what both have at a time, and not for all of it twice")
    func room() throws {
        let manifest = try Manifest(
            JSONValue(
                parsing: Array(
                    #"""
                    {"appVersion":"1","backupId":"b","createdAt":1,"entityStats":{"CategoryEntity":{"count":0},
                    "MediaEntity":{"count":0},"SettingEntity":{"count":0},"StoryEntity":{"count":0}},
                    "integrity":{"hashAlgorithm":"SHA256","zipSHA256":"","zipSize":0},
                    "mediaStats":{"totalBytes":10000000000,"totalFiles":9},
                    "options":{"brokenMediaCount":0,"hasBrokenMedia":false},"schemaVersion":1}
                    """#.utf8
                )
            )
        )
        let size: UInt64 = 10_100_000_000
        let whole = RestorePlan(manifest: manifest, binding: [1], archiveBytes: size)
        let given = RestorePlan(manifest: manifest, binding: [1], archiveBytes: size, isGivenBack: true)
        let half = DiskRoom(free: 1_000_000_000, total: 1 << 40)
        #expect(throws: RestoreError.self) { try RestoreSpace.check(whole, staged: 0, room: half) }
        try RestoreSpace.check(given, staged: 0, room: half)
        try RestoreSpace.check(given, staged: 9_000_000_000, room: half)
        #expect(throws: RestoreError.self) {
            try RestoreSpace.check(given, staged: 0, room: DiskRoom(free: 400_000_000, total: 1 << 40))
        }
        #expect(StagedFiles.interval(for: whole) == StagedFiles.interval)
        #expect(StagedFiles.interval(for: given) == StagedFiles.interval)
        let small = RestorePlan(manifest: manifest, binding: [1], archiveBytes: 640 << 20, isGivenBack: true)
        #expect(StagedFiles.interval(for: small) == 10 << 20)
    }
}
