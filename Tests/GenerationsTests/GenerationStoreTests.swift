import Foundation
import GenerationsTesting
import Kernel
import KernelTesting
import Testing

@testable import Generations

@Suite("A store of generations", .timeLimit(.minutes(4)))
struct GenerationStoreTests {
    private static let day = 86_400

    private func committed(_ scene: StoreScene) throws -> (GenerationStore, SimulatedDisk) {
        let disk = try scene.diskWithOldData()
        let store = try scene.open(disk)
        try scene.stageNewData(store)
        _ = try store.commit()
        return (store, disk)
    }

    @Test(
        "fail at the k-th call: once or for good, a typed error, the old data untouched, and it works when the disk does",
        arguments: [
            GenerationsError.diskFull, .quotaUsed, .readOnlyDisk, .failed(operation: "write", path: "x", code: EIO),
        ]
    )
    func failures(cause: GenerationsError) throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        let old = try #require(try scene.visible(scene.open(disk.copy())))
        for times in [1, .max] {
            for call in 1... {
                let failing = disk.copy([.fail(atCall: call, times: times, cause)])
                var isCommitted = false
                do {
                    let store = try scene.open(failing)
                    try scene.stageNewData(store)
                    _ = try store.commit()
                    isCommitted = true
                } catch {
                    #expect(error == cause || error == .unsettled, "call \(call)")
                }
                let rest = failing.restarted(after: .kill)
                let next = try scene.open(rest)
                let visible = try scene.visible(next)
                let isNew = visible == VisibleData(files: StoreScene.new, key: StoreScene.key.bytes)
                #expect(isNew || (visible == old && !isCommitted), "call \(call), \(times) times")
                try next.discardStaged()
                #expect(try scene.remains(next, on: rest) == [], "call \(call), \(times) times")
                if !isNew {
                    try scene.stageNewData(next)
                    _ = try next.commit()
                    #expect(try scene.visible(next)?.files == StoreScene.new, "call \(call)")
                }
                if failing.struck == 0 { break }
            }
        }
    }

    @Test("a disk that fails in the commit itself: nothing is removed, nothing begun, and the next start knows")
    func unsettled() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        var found = 0
        for call in 1... {
            let failing = disk.copy([.fail(atCall: call, times: .max, .failed(operation: "sync", path: "", code: EIO))])
            guard let store = try? scene.open(failing), (try? scene.stageNewData(store)) != nil else {
                if failing.struck == 0 { break }
                continue
            }
            do throws(GenerationsError) {
                _ = try store.commit()
            } catch {
                guard error == .unsettled else { continue }
                found += 1
                #expect(throws: GenerationsError.unsettled) { try store.current() }
                #expect(throws: GenerationsError.unsettled) { try store.stage(binding: []) }
                #expect(throws: GenerationsError.unsettled) { try store.rollback() }
                for seed in 0..<16 as Range<UInt64> {
                    let next = try scene.open(failing.restarted(after: .powerLoss(seed: seed)))
                    let files = try scene.visible(next)?.files
                    #expect(files == StoreScene.old || files == StoreScene.new, "call \(call), seed \(seed)")
                }
            }
            if failing.struck == 0 { break }
        }
        #expect(found > 0)
    }

    @Test("nothing is committed before all of it was verified")
    func order() throws {
        let scene = StoreScene()
        let store = try scene.open(scene.diskWithOldData())
        #expect(throws: GenerationsError.notReady) { try store.commit() }
        #expect(throws: GenerationsError.notReady) { try store.complete() }
        #expect(throws: GenerationsError.notReady) { try store.note(progress: []) }
        _ = try store.stage(binding: [1])
        #expect(throws: GenerationsError.alreadyStaging) { try store.stage(binding: [2]) }
        #expect(throws: GenerationsError.notReady) { try store.verify(key: StoreScene.key, restoredFrom: nil) }
        try store.complete()
        #expect(throws: GenerationsError.notReady) { try store.commit() }
    }

    @Test("cancelled data is removed with its key, and the current data is as it was")
    func discard() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        let store = try scene.open(disk)
        let old = try scene.visible(store)
        try scene.stageNewData(store)
        try store.discardStaged()
        #expect(store.staged == nil)
        #expect(try scene.visible(store) == old)
        #expect(try scene.remains(store, on: disk) == [])
        try store.discardStaged()
    }

    @Test("cancelled data that a failing disk cannot remove is not gone on with, and goes with the next start")
    func discardOnFailingDisk() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        try scene.stageNewData(scene.open(disk))
        let opened = disk.copy()
        _ = try scene.open(opened)
        // The record that it was cancelled is written and synchronized; every call behind that fails.
        let failing = disk.copy([
            .fail(atCall: opened.calls + 3, times: .max, .failed(operation: "remove", path: "x", code: EIO))
        ])
        let store = try scene.open(failing)
        #expect(throws: GenerationsError.self) { try store.discardStaged() }
        let rest = failing.restarted(after: .powerLoss(seed: 1))
        let next = try scene.open(rest)
        #expect(next.staged == nil)
        #expect(try scene.visible(next)?.files == StoreScene.old)
        #expect(try scene.remains(next, on: rest) == [])
    }

    @Test(
        "the earlier data is kept for seven days and one more, and a clock that was wrong for a moment removes nothing"
    )
    func retention() throws {
        let scene = StoreScene()
        let (store, disk) = try committed(scene)
        let kept = try #require(store.kept)
        #expect(kept.untilMilliseconds - kept.sinceMilliseconds == 7 * 86_400_000)
        #expect(try store.applyRetention() == false)
        scene.clock.advance(by: .seconds(7 * Self.day))
        #expect(try store.applyRetention() == false)
        #expect(store.kept != nil)
        scene.clock.advance(by: .seconds(Self.day - 1))
        #expect(try store.applyRetention() == false)
        scene.clock.advance(by: .seconds(1))
        #expect(try store.applyRetention() == true)
        #expect(store.kept == nil)
        #expect(try scene.remains(store, on: disk) == [])
        #expect(throws: GenerationsError.nothingKept) { try store.rollback() }
    }

    @Test("a clock that is set right again keeps the earlier data as long as was said")
    func wrongClock() throws {
        var scene = StoreScene()
        let (store, disk) = try committed(scene)
        scene.clock.advance(by: .seconds(400 * Self.day))
        #expect(try store.applyRetention() == false)
        scene.clock = ManualClock()
        let next = try scene.open(disk)
        #expect(try next.applyRetention() == false)
        #expect(next.kept?.overdueSinceMilliseconds == nil)
        #expect(next.kept != nil)
    }

    @Test("the earlier data goes when less than a tenth of the disk is free")
    func fullDisk() throws {
        let scene = StoreScene()
        let (store, disk) = try committed(scene)
        disk.set(room: DiskRoom(free: 100, total: 1000))
        #expect(try store.applyRetention() == false)
        disk.set(room: DiskRoom(free: 99, total: 1000))
        #expect(try store.applyRetention() == true)
        #expect(store.kept == nil)
    }

    @Test("a third set of data replaces what was kept")
    func third() throws {
        let scene = StoreScene()
        let (store, disk) = try committed(scene)
        let second = try scene.visible(store)
        try scene.stageNewData(store)
        _ = try store.commit()
        #expect(try scene.remains(store, on: disk) == [])
        _ = try store.rollback()
        #expect(try scene.visible(store) == second)
    }

    @Test("a received part that nobody went on with for seven days is removed")
    func staleStaging() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        _ = try scene.open(disk).stage(binding: [1])
        scene.clock.advance(by: .seconds(7 * Self.day - 1))
        #expect(try scene.open(disk.copy()).staged != nil)
        scene.clock.advance(by: .seconds(1))
        let store = try scene.open(disk)
        #expect(store.staged == nil)
        #expect(try scene.remains(store, on: disk) == [])
    }

    @Test(
        "a damaged CURRENT, and one whose folder is gone, are told and nothing is touched",
        arguments: [
            "", "gen-0123456789abcdef", "../elsewhere\n", "gen-0123456789ABCDEF\n", "gen-0123456789abcdef\n",
        ]
    )
    func damagedPointer(text: String) throws {
        let scene = StoreScene()
        let (_, disk) = try committed(scene)
        try disk.replace(GenerationStore.pointer, with: Array(text.utf8))
        let before = try disk.names(in: GenerationStore.folder, limit: 100)
        let error = #expect(throws: GenerationsError.self) { try scene.open(disk) }
        #expect([.damagedPointer, .missingGeneration("gen-0123456789abcdef")].contains(error))
        #expect(try disk.names(in: GenerationStore.folder, limit: 100) == before)
    }

    @Test("a damaged list of kept data removes none of it")
    func damagedRetention() throws {
        let scene = StoreScene()
        let (store, disk) = try committed(scene)
        let kept = try #require(store.kept)
        for bytes in [Array("{".utf8), [UInt8](repeating: 0, count: 100_000)] {
            try disk.replace(GenerationStore.retention, with: bytes)
            let next = try scene.open(disk)
            #expect(next.kept?.generation == kept.generation)
            #expect(next.cleanupFailure == nil)
        }
        _ = try scene.open(disk).rollback()
        #expect(try scene.visible(scene.open(disk))?.files == StoreScene.old)
    }

    @Test("flips: with any one bit of the journal wrong, the old data stays and the start ends well")
    func journalFlips() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        let store = try scene.open(disk)
        _ = try store.stage(binding: [1, 2, 3])
        try store.note(progress: [7])
        let old = try scene.visible(store)
        let journal = try #require(try disk.contents(of: GenerationStore.journal, limit: 10_000))
        for bit in 0..<(journal.count * 8) {
            let copy = disk.copy()
            var bytes = journal
            bytes[bit / 8] ^= 1 << (bit % 8)
            try copy.replace(GenerationStore.journal, with: bytes)
            let next = try scene.open(copy)
            #expect(try scene.visible(next) == old, "bit \(bit)")
            #expect(try scene.remains(next, on: copy) == [], "bit \(bit)")
        }
    }

    @Test("the key of old programs follows the current generation, there and back")
    func legacyKey() throws {
        let scene = StoreScene(usesKeychain: true)
        let (store, disk) = try committed(scene)
        let keys = SimulatedKeychain(disk)
        #expect(try keys.key(named: "MyStory.MasterKey") == StoreScene.key.bytes)
        let commit = try store.rollback()
        #expect(try keys.key(named: "MyStory.MasterKey") == store.masterKey(of: commit.current).bytes)
        #expect(try keys.key(named: "MyStory.MasterKey") != StoreScene.key.bytes)
    }

    @Test("without its key the earlier data is not gone back to, and the current data stays")
    func missingKey() throws {
        let scene = StoreScene(usesKeychain: true)
        let (store, disk) = try committed(scene)
        let kept = try #require(store.kept).generation.name
        try SimulatedKeychain(disk).remove(named: "MyStory.MasterKey.\(kept)")
        #expect(throws: GenerationsError.missingKey(kept)) { try store.rollback() }
        #expect(try scene.visible(store)?.files == StoreScene.new)
    }
}
