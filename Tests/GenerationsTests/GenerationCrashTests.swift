import GenerationsTesting
import Kernel
import KernelTesting
import Testing

@testable import Generations

@Suite("Generations whose program ends at any call", .timeLimit(.minutes(4)))
struct GenerationCrashTests {
    /// What a run has promised before it ended.
    struct Promise {
        var phase: StagingPhase?
        var isNoted = false
        var isCommitted = false

        mutating func tell(_ phase: StagingPhase?) {
            if let phase { self.phase = phase } else { isNoted = true }
        }
    }

    /// Why what a start finds is wrong; nil where all is well.
    static func fault(
        _ disk: SimulatedDisk,
        _ scene: StoreScene,
        old: VisibleData?,
        new: VisibleData,
        promise: Promise
    ) -> String? {
        do {
            // Whatever is made up at the start has another time than what was written down.
            scene.clock.advance(by: .seconds(1))
            let store = try scene.open(disk)
            if let failure = store.cleanupFailure { return "not put away: \(failure)" }
            let visible = try scene.visible(store)
            if promise.isCommitted, visible != new { return "a commit that was told is gone" }
            guard visible == old || visible == new else { return "a mix" }
            if visible == old, let broken = try broken(promise, store, scene) { return broken }
            let remains = try scene.remains(store, on: disk)
            if !remains.isEmpty { return "left behind: \(remains)" }
            if old != nil, visible == new {
                if let kept = store.kept, kept.sinceMilliseconds == scene.clock.date.millisecondsSince1970 {
                    return "the time for going back was lost"
                }
                _ = try store.rollback()
                guard try scene.visible(store) == old else { return "the old data cannot be gone back to" }
                guard try scene.remains(store, on: disk).isEmpty else { return "left behind by going back" }
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Why a promise about a staged generation is broken; nil where all are kept.
    private static func broken(_ promise: Promise, _ store: GenerationStore, _ scene: StoreScene) throws -> String? {
        guard let phase = promise.phase else { return nil }
        guard let staged = store.staged else { return "what was staged is gone" }
        guard staged.phase >= phase else { return "the phase \(phase) is gone" }
        guard try store.files.status(of: staged.generation.media) != nil else { return "the folder of media is gone" }
        guard promise.isNoted else { return nil }
        var notes: [[UInt8]] = []
        try store.progress { notes.append($0) }
        let database = try store.files.contents(of: staged.generation.database, limit: 1 << 20)
        guard notes == [StoreScene.progress], database == StoreScene.new["db.sqlite"] else { return "progress is gone" }
        guard phase >= .verified else { return nil }
        let data = try scene.data(of: staged.generation, in: store)
        return data.files == StoreScene.new && data.key == StoreScene.key.bytes ? nil : "what was verified is gone"
    }

    private func expectOldOrNew(
        from disk: SimulatedDisk,
        _ scene: StoreScene,
        old: VisibleData?,
        new: VisibleData,
        _ work: (GenerationStore, inout Promise) throws -> Void
    ) -> Int {
        var promise = Promise()
        return CrashRuns.all(from: disk) { disk in
            promise = Promise()
            do {
                try work(try scene.open(disk), &promise)
                promise.isCommitted = true
            } catch {
                #expect(disk.isOver)
            }
        } check: { disk, run in
            let fault = Self.fault(disk, scene, old: old, new: new, promise: promise)
            #expect(fault == nil, "\(run)")
        }
    }

    @Test(
        "kill points of a commit: the old data or the new, whole, and a commit that was told holds",
        arguments: [false, true]
    )
    func commit(usesKeychain: Bool) throws {
        let scene = StoreScene(usesKeychain: usesKeychain)
        let disk = try scene.diskWithOldData()
        let old = try #require(try scene.visible(scene.open(disk.copy())))
        let new = VisibleData(files: StoreScene.new, key: StoreScene.key.bytes)
        let runs = expectOldOrNew(from: disk, scene, old: old, new: new) { store, promise in
            try scene.stageNewData(store) { promise.tell($0) }
            _ = try store.commit()
        }
        #expect(runs > 500)
    }

    @Test("kill points of the first generation: nothing or all of it")
    func first() throws {
        let scene = StoreScene()
        let made = SimulatedDisk()
        let store = try scene.open(made)
        try scene.makeOldData(store)
        let new = try #require(try scene.visible(store))
        let runs = expectOldOrNew(from: SimulatedDisk(), scene, old: nil, new: new) { store, _ in
            try scene.makeOldData(store)
        }
        #expect(runs > 300)
    }

    @Test("kill points of going back: the new data or the old, and going back can itself be undone")
    func rollback() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        let store = try scene.open(disk)
        let old = try #require(try scene.visible(store))
        try scene.stageNewData(store)
        _ = try store.commit()
        let new = try #require(try scene.visible(store))
        let runs = expectOldOrNew(from: disk, scene, old: new, new: old) { store, _ in _ = try store.rollback() }
        #expect(runs > 100)
    }

    @Test("double crashes: a start that ends at any of its calls is begun again by the next")
    func doubleCrash() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        let old = try #require(try scene.visible(scene.open(disk.copy())))
        let new = VisibleData(files: StoreScene.new, key: StoreScene.key.bytes)
        var runs = 0
        CrashRuns.all(from: disk, seeds: 1) { disk in
            guard let store = try? scene.open(disk), (try? scene.stageNewData(store)) != nil else { return }
            _ = try? store.commit()  // ends where the run says
        } check: { disk, first in
            runs += CrashRuns.all(from: disk, seeds: 1) {
                _ = try? scene.open($0)
            } check: { disk, second in
                let fault = Self.fault(disk, scene, old: old, new: new, promise: Promise())
                #expect(fault == nil, "\(first), then \(second)")
            }
        }
        #expect(runs > 1000)
    }

    @Test("what was received in part is there after a kill, with the progress that was noted")
    func resumable() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        let store = try scene.open(disk)
        let staged = try store.stage(binding: [1, 2, 3])
        try store.note(progress: [1])
        try store.note(progress: [2])
        let next = try scene.open(disk.restarted(after: .powerLoss(seed: 3)))
        #expect(next.staged == staged)
        var progress: [[UInt8]] = []
        try next.progress { progress.append($0) }
        #expect(progress == [[1], [2]])
        try scene.fill(staged.generation, with: StoreScene.new, in: next)
        try next.complete()
        try next.verify(key: StoreScene.key, restoredFrom: nil)
        _ = try next.commit()
        #expect(try scene.visible(next)?.files == StoreScene.new)
    }

    @Test("killed between the rename of CURRENT and the record of it, the next start goes forward and keeps both")
    func betweenRenameAndRecord() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        var found = 0
        try CrashRuns.all(from: disk, seeds: 0) { disk in
            guard let store = try? scene.open(disk), (try? scene.stageNewData(store)) != nil else { return }
            _ = try? store.commit()  // ends where the run says
        } check: { disk, run in
            // The instant is the one in which CURRENT names a generation whose journal is at VERIFIED.
            let pointer = try disk.contents(of: GenerationStore.pointer, limit: 100) ?? []
            guard try disk.status(of: GenerationStore.journal) != nil else { return }
            var named = ""
            var last: StagingPhase?
            let journal = try RestoreJournal.open(GenerationStore.journal, in: disk) { record in
                if case .preparing(let first) = record { named = first.generation.name }
                if case .phase(let phase) = record { last = phase }
            }
            _ = journal
            guard last == .verified, String(decoding: pointer, as: UTF8.self) == named + "\n" else { return }
            found += 1
            let store = try scene.open(disk)
            #expect(try scene.visible(store)?.files == StoreScene.new, "\(run)")
            #expect(store.kept != nil && store.staged == nil, "\(run)")
        }
        #expect(found > 0)
    }

    @Test("mutation check: each synchronization up to the commit, left out, breaks a promise or the data")
    func mutations() throws {
        let scene = StoreScene()
        let disk = try scene.diskWithOldData()
        let old = try #require(try scene.visible(scene.open(disk.copy())))
        let new = VisibleData(files: StoreScene.new, key: StoreScene.key.bytes)
        let whole = disk.copy()
        let store = try scene.open(whole)
        try scene.stageNewData(store)
        // The commit itself has four more; what tidies up behind it is done again by the next start.
        let count = whole.synchronizations.count + 4
        _ = try store.commit()
        #expect(
            whole.synchronizations[(count - 4)..<count].map { String($0) } == [
                "store/KEPT.next", "store", "store/CURRENT.next", "store",
            ]
        )
        var unnoticed: [String] = []
        // The first is the start's own, which the next test is about.
        for number in 2...count {
            var isNoticed = false
            var promise = Promise()
            CrashRuns.all(from: disk, with: .loseSynchronization(number), seeds: 12) { disk in
                promise = Promise()
                guard !isNoticed, let store = try? scene.open(disk) else { return }
                guard (try? scene.stageNewData(store) { promise.tell($0) }) != nil else { return }
                promise.isCommitted = (try? store.commit()) != nil
            } check: { disk, _ in
                guard !isNoticed else { return }
                isNoticed = Self.fault(disk, scene, old: old, new: new, promise: promise) != nil
            }
            if !isNoticed { unnoticed.append("\(number) \(whole.synchronizations[number - 1])") }
        }
        #expect(unnoticed == [])
    }

    @Test("what a start finds in CURRENT is on the disk before anybody writes into it")
    func startMakesDurable() throws {
        let scene = StoreScene()
        let ended = SimulatedDisk()
        try scene.makeOldData(scene.open(ended))
        // Ends right behind the rename of CURRENT: the name is not on the disk.
        var first: SimulatedDisk?
        for call in 1...ended.calls where first == nil {
            let disk = SimulatedDisk().copy([.end(atCall: call)])
            if let store = try? scene.open(disk) { try? scene.makeOldData(store) }
            if try disk.restarted(after: .kill).status(of: GenerationStore.pointer) != nil {
                first = disk.restarted(after: .kill)
            }
        }
        let killed = try #require(first)
        for seed in 0..<20 as Range<UInt64> {
            let disk = killed.copy()
            #expect(try scene.visible(scene.open(disk))?.files == StoreScene.old)
            let next = try scene.open(disk.restarted(after: .powerLoss(seed: seed)))
            #expect(try scene.visible(next)?.files == StoreScene.old)
        }
    }
}
