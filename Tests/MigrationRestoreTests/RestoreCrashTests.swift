import Foundation
import GenerationsTesting
import Kernel
import Testing

@testable import Generations
@testable import MigrationRestore

@Suite("A restore whose program ends at any call", .timeLimit(.minutes(5)))
struct RestoreCrashTests {
    /// Why what a start finds is wrong; nil where all is well.
    private func fault(
        _ disk: SimulatedDisk,
        _ scene: RestoreScene,
        old: SeenData,
        new: SeenData,
        isCommitted: Bool,
        goesOn: Bool = true
    ) -> String? {
        do {
            let store = try scene.open(disk)
            if let failure = store.cleanupFailure { return "not put away: \(failure)" }
            let seen = try scene.seen(store)
            if isCommitted, seen != new { return "a commit that was told is gone" }
            guard seen == old || seen == new else { return "a mix" }
            guard try scene.remains(store).isEmpty else { return "left behind: \(try scene.remains(store))" }
            if goesOn, seen == old {
                try scene.restore(store)
                guard try scene.seen(store) == new else { return "the package did not go on to the new data" }
                guard try scene.remains(store).isEmpty else { return "left behind by going on" }
            }
            if try scene.seen(store) == new {
                _ = try store.rollback()
                guard try scene.seen(store) == old else { return "the old data cannot be gone back to" }
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("kill points and power loss at every call of a restore: old or new, and the package goes on to the new data")
    func everyCall() throws {
        let scene = RestoreScene()
        let disk = try scene.diskWithJournal()
        let old = try #require(try scene.seen(scene.open(disk.copy())))
        let new = try #require(try scene.newData())
        #expect(new.files.count == 4 && new.key == ScriptedPackage.key)
        var isCommitted = false
        let runs = CrashRuns.all(from: disk) { disk in
            isCommitted = false
            do {
                try scene.restore(try scene.open(disk))
                isCommitted = true
            } catch {
                isCommitted = false  // the program ended
            }
        } check: { disk, run in
            let fault = fault(disk, scene, old: old, new: new, isCommitted: isCommitted)
            #expect(fault == nil, "\(run)")
        }
        #expect(runs > 1000)
    }

    @Test("double crashes: going on with a package ends at any call, too, and the third start finds old or new")
    func doubleCrash() throws {
        let scene = RestoreScene()
        let disk = try scene.diskWithJournal()
        let old = try #require(try scene.seen(scene.open(disk.copy())))
        let new = try #require(try scene.newData())
        var runs = 0
        for call in stride(from: 5, to: 400, by: 23) {
            let first = disk.copy([.end(atCall: call)])
            _ = try? scene.restore(scene.open(first))  // ends at that call
            let left = first.restarted(after: .powerLoss(seed: UInt64(call)))
            guard try scene.seen(scene.open(left.copy())) == old else { continue }
            runs += CrashRuns.all(from: left, seeds: 1) { disk in
                _ = try? scene.restore(scene.open(disk))  // ends where the run says
            } check: { disk, run in
                let fault = fault(disk, scene, old: old, new: new, isCommitted: false)
                #expect(fault == nil, "call \(call), then \(run)")
            }
        }
        #expect(runs > 1000)
    }

    @Test("kill points of cancelling: the old data, nothing left behind, and the package can come again")
    func cancelling() throws {
        let scene = RestoreScene()
        let disk = try scene.diskWithJournal()
        let store = try scene.open(disk)
        let old = try #require(try scene.seen(store))
        _ = try scene.run(store).run { try scene.package.read(into: $0) }
        let runs = try CrashRuns.all(from: disk) { disk in
            _ = try? scene.open(disk).discardStaged()  // ends where the run says
        } check: { disk, run in
            let next = try scene.open(disk)
            #expect(try scene.seen(next) == old, "\(run)")
            #expect(try scene.remains(next).isEmpty, "\(run)")
        }
        #expect(runs > 50)
    }

    @Test("mutation check: files that are noted without being synchronized are found out")
    func mutations() throws {
        let scene = RestoreScene()
        let disk = try scene.diskWithJournal()
        let old = try #require(try scene.seen(scene.open(disk.copy())))
        let new = try #require(try scene.newData())
        let whole = disk.copy()
        try scene.restore(scene.open(whole))
        var unnoticed: [String] = []
        let media = zip(1..., whole.synchronizations).filter { $0.1.hasSuffix("/Media") }
        #expect(media.count >= 2)
        for (number, path) in media {
            var (isNoticed, isCommitted) = (false, false)
            CrashRuns.all(from: disk, with: .loseSynchronization(number), seeds: 4) { disk in
                isCommitted = false
                guard !isNoticed, let store = try? scene.open(disk) else { return }
                isCommitted = (try? scene.restore(store)) != nil
            } check: { disk, _ in
                guard !isNoticed else { return }
                isNoticed = fault(disk, scene, old: old, new: new, isCommitted: isCommitted) != nil
            }
            if !isNoticed { unnoticed.append("\(number) \(path)") }
        }
        #expect(unnoticed == [])
    }

    @Test("after a kill no file is written again whose bytes were on the disk for certain")
    func goingOn() throws {
        let scene = RestoreScene()
        let disk = try scene.diskWithJournal()
        struct Cut: Error {}
        let store = try scene.open(disk)
        #expect(throws: Cut.self) {
            try scene.run(store).run { sink in
                _ = try scene.package.read(into: sink)
                throw Cut()
            }
        }
        let next = disk.restarted(after: .powerLoss(seed: 1))
        try scene.restore(scene.open(next))
        // The database and the small files of the store are written again; the media's 1,403 bytes are not.
        #expect(disk.writtenBytes > 1403)
        #expect(next.writtenBytes < disk.writtenBytes + 1403)
        #expect(try scene.seen(scene.open(next)) == scene.newData())
        let third = try scene.open(try scene.diskWithJournal())
        try scene.restore(third)
        let fresh = try #require(third.files as? SimulatedDisk).writtenBytes
        #expect(fresh - next.writtenBytes >= 1000)
    }
}
