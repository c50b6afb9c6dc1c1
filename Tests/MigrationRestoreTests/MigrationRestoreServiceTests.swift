import Foundation
import Generations
import GenerationsTesting
import Kernel
import KernelTesting
import MigrationContainer
import Synchronization
import Testing

@testable import MigrationRestore

/// Notes when a journal is closed and opened, and which generation is current then.
private final class NotedJournal: LiveData {
    private let events = Mutex<[String]>([])
    private let cannotPause: Bool

    init(cannotPause: Bool = false) { self.cannotPause = cannotPause }

    struct Stuck: Error {}

    var noted: [String] { events.withLock(\.self) }

    func pause() async throws {
        events.withLock { $0.append("pause") }
        if cannotPause { throw Stuck() }
    }

    func resume() async throws { events.withLock { $0.append("resume") } }
    func changes(sinceMilliseconds: Int64) async throws -> Int? { 3 }
}

@Suite("The restore service", .timeLimit(.minutes(4)))
struct MigrationRestoreServiceTests {
    private let scene = RestoreScene()

    private func service(
        _ store: GenerationStore,
        _ journal: NotedJournal = NotedJournal()
    ) -> MigrationRestoreService {
        MigrationRestoreService(store: store, database: scene.databases, live: journal, time: scene.clock)
    }

    @Test(
        "restores, commits while the journal is closed, reports what is lost by its story, and goes back with a deadline"
    )
    func wholeLife() async throws {
        var package = scene.package
        package.broken = [
            BrokenMedium(mediaId: "m9", fileName: "z.heic", reason: .readError),
            BrokenMedium(mediaId: "m10", fileName: "y.mov", reason: .empty),
        ]
        let (store, journal) = (try scene.open(scene.diskWithJournal()), NotedJournal())
        let old = try scene.seen(store)
        let service = service(store, journal)
        let sent = package
        let report = try await service.restore(try package.plan()) { try sent.read(into: $0) }
        #expect(report.lost.map(\.mediaID) == ["m9", "m10"])
        #expect(report.lost.map(\.reason) == ["READ_ERROR", "EMPTY"])
        #expect(report.lost.map(\.storyID) == ["s1", nil])
        #expect(report.counts == ["settings": 2, "categories": 1, "stories": 3, "media": 2, "relations": 1])
        #expect(report.mediaFiles == 3 && report.mediaBytes == 1403 && report.proof == .checksums)
        #expect(try scene.seen(store) == old)
        #expect(journal.noted == [])
        let result = try await service.commit()
        #expect(journal.noted == ["pause", "resume"])
        #expect(result.report == report && !result.leavesRemains)
        #expect(try await service.report() == report)
        let undo = try #require(result.undo)
        #expect(undo.untilMilliseconds - undo.sinceMilliseconds == 7 * 86_400_000)
        #expect(try await service.undoOffer()?.changesSince == 3)
        _ = try await service.undo()
        #expect(try scene.seen(store) == old)
        #expect(try await service.report() == nil)
        _ = try await service.undo()
        #expect(try scene.seen(store) == scene.newData())
        try await service.removeReplaced()
        #expect(try await service.undoOffer() == nil)
        await #expect(throws: GenerationsError.nothingKept) { _ = try await service.undo() }
    }

    @Test("a package that was verified before the program ended is committed without coming again")
    func verifiedBefore() async throws {
        let disk = try scene.diskWithJournal()
        let package = scene.package
        let report = try await service(scene.open(disk)).restore(try package.plan()) { try package.read(into: $0) }
        let next = service(try scene.open(disk.restarted(after: .powerLoss(seed: 1))))
        let again = try await next.restore(try package.plan()) { _ in throw RestoreError.outOfOrder }
        #expect(again == report)
        #expect(try await next.commit().report == report)
    }

    @Test("a journal that cannot be closed keeps its data, and is opened again")
    func stuckJournal() async throws {
        let (store, journal) = (try scene.open(scene.diskWithJournal()), NotedJournal(cannotPause: true))
        let (service, package) = (service(store, journal), scene.package)
        let old = try scene.seen(store)
        _ = try await service.restore(try package.plan()) { try package.read(into: $0) }
        await #expect(throws: NotedJournal.Stuck.self) { _ = try await service.commit() }
        #expect(journal.noted == ["pause", "resume"])
        #expect(try scene.seen(store) == old)
    }

    @Test("nothing is committed that was not restored, and nothing after it was cancelled")
    func notReady() async throws {
        let store = try scene.open(scene.diskWithJournal())
        let (service, package) = (service(store), scene.package)
        await #expect(throws: RestoreError.notReady) { _ = try await service.commit() }
        #expect(try await service.undoOffer() == nil)
        _ = try await service.restore(try package.plan()) { try package.read(into: $0) }
        try await service.cancel()
        try await service.cancel()
        await #expect(throws: RestoreError.notReady) { _ = try await service.commit() }
        #expect(try scene.remains(store) == [])
    }

    @Test("while a package is read, everything else is refused as busy")
    func busy() async throws {
        let store = try scene.open(scene.diskWithJournal())
        let (service, package) = (service(store), scene.package)
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let restoring = Task {
            try await service.restore(try package.plan()) { sink in
                begun.signal()
                guard mayEnd.wait(timeout: .now() + 60) == .success else { throw CancellationError() }
                return try package.read(into: sink)
            }
        }
        let isBegun = try await BlockingWork("test", width: 1).run { begun.wait(timeout: .now() + 60) == .success }
        #expect(isBegun)
        await #expect(throws: RestoreError.busy) { try await service.cancel() }
        await #expect(throws: RestoreError.busy) { _ = try await service.commit() }
        #expect(try await service.applyRetention() == false)
        mayEnd.signal()
        _ = try await restoring.value
        _ = try await service.commit()
    }

    @Test("a disk without room is told before the package is sent")
    func space() async throws {
        let disk = try scene.diskWithJournal()
        let service = service(try scene.open(disk))
        let plan = try scene.package.plan()
        try await service.checkSpace(for: plan)
        disk.set(room: DiskRoom(free: 5, total: 1 << 40))
        await #expect(throws: RestoreError.self) { try await service.checkSpace(for: plan) }
    }
}
