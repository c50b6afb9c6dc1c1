import Foundation
import GenerationsTesting
import Kernel
import KernelTesting
import MigrationContainer
import Testing

@testable import Generations
@testable import MigrationRestore

@Suite("A restore that goes wrong", .timeLimit(.minutes(4)))
struct RestoreFaultTests {
    /// Restores, expects an error, and that nothing happened to the data; the rest is removed on request.
    private func expect(
        _ error: RestoreError,
        _ scene: RestoreScene,
        plan: RestorePlan? = nil,
        read: ((any RestoreSink) throws -> PackageContents)? = nil
    ) throws {
        let disk = try scene.diskWithJournal()
        let store = try scene.open(disk)
        let old = try scene.seen(store)
        var run = try scene.run(store)
        if let plan {
            run = RestoreRun(plan: plan, store: store, database: scene.databases, now: 1, step: { _ in })
        }
        let package = scene.package
        let read = read ?? { try package.read(into: $0) }
        #expect(throws: error) { _ = try run.run(read) }
        #expect(throws: GenerationsError.notReady) { try store.commit() }
        #expect(try scene.seen(store) == old)
        try store.discardStaged()
        #expect(try scene.remains(store) == [])
        #expect(try scene.seen(store) == old)
    }

    @Test(
        "class space: a full disk, a used quota and a failing disk at every call, and the package goes on once there is room",
        arguments: [
            GenerationsError.diskFull, .quotaUsed, .failed(operation: "write", path: "x", code: EIO),
        ]
    )
    func space(cause: GenerationsError) throws {
        let scene = RestoreScene()
        let disk = try scene.diskWithJournal()
        let new = try scene.newData()
        let old = try #require(try scene.seen(scene.open(disk.copy())))
        for times in [1, .max] {
            for call in 1... {
                let failing = disk.copy([.fail(atCall: call, times: times, cause)])
                var isCommitted = false
                do {
                    try scene.restore(scene.open(failing))
                    isCommitted = true
                } catch {
                    let told = error as? GenerationsError
                    #expect(told == cause || told == .unsettled, "call \(call)")
                }
                let next = try scene.open(failing.restarted(after: .kill))
                let seen = try scene.seen(next)
                #expect(seen == new || (seen == old && !isCommitted), "call \(call), \(times) times")
                if seen == old { try scene.restore(next) }
                #expect(try scene.seen(next) == new, "call \(call), \(times) times")
                #expect(try scene.remains(next) == [], "call \(call), \(times) times")
                if failing.struck == 0 { break }
            }
        }
    }

    @Test("a disk without room is told before anything comes, with what is missing")
    func noRoom() throws {
        let scene = RestoreScene()
        let disk = try scene.diskWithJournal()
        disk.set(room: DiskRoom(free: 100 << 20, total: 1 << 40))
        let store = try scene.open(disk)
        let needed = try RestoreSpace.needed(for: scene.package.plan())
        #expect(needed == 4000 + 80 + 2597 + 2597 / 5 * 3 + 200 << 20)
        #expect(throws: RestoreError.diskFull(needed: needed, free: 100 << 20)) {
            _ = try scene.run(store).run { try scene.package.read(into: $0) }
        }
        #expect(store.staged == nil)
    }

    @Test("class hostile manifest: sizes that no disk has", arguments: [UInt64(1) << 63, .max, 1000])
    func impossibleSizes(archiveBytes: UInt64) throws {
        let scene = RestoreScene()
        try expect(.impossibleSize, scene, plan: scene.package.plan(archiveBytes: archiveBytes))
    }

    @Test("a second package is refused while the first is there in part, and taken after that was cancelled")
    func otherPackage() throws {
        let scene = RestoreScene()
        let store = try scene.open(scene.diskWithJournal())
        _ = try scene.run(store).run { try scene.package.read(into: $0) }
        let plan = try scene.package.plan(binding: [9])
        let other = RestoreRun(plan: plan, store: store, database: scene.databases, now: 1, step: { _ in })
        #expect(throws: RestoreError.otherPackage) { _ = try other.run { try scene.package.read(into: $0) } }
        try store.discardStaged()
        _ = try other.run { try scene.package.read(into: $0) }
        _ = try store.commit()
        #expect(try scene.seen(store) == scene.newData())
    }

    @Test("a key that opens none of the media is refused before the commit")
    func wrongKey() throws {
        var scene = RestoreScene()
        scene.package.masterKey = [UInt8](repeating: 7, count: 32)
        try expect(.keyDoesNotFit, scene)
        scene.package.masterKey = [1, 2, 3]
        try expect(.badKey, scene)
    }

    @Test("a medium that was damaged on the old phone does not keep the others from coming")
    func oneDamagedMedium() throws {
        var scene = RestoreScene()
        scene.package.files[0].bytes[0] = 0
        let store = try scene.open(scene.diskWithJournal())
        try scene.restore(store)
        #expect(try scene.seen(store)?.files["Media/Images/2026/03/a.heic"]?.count == 100)
        scene.package.files = [scene.package.files[0]]
        let single = try scene.open(scene.diskWithJournal())
        try scene.restore(single)
        #expect(try scene.seen(single)?.files["Media/Images/2026/03/a.heic"]?.count == 100)
    }

    @Test("a database that lost a record, or that is not closed, is not committed")
    func badDatabase() throws {
        var scene = RestoreScene()
        scene.databases.fault = .losesStories
        try expect(.recordsLost("stories", expected: 3, found: 1), scene)
        scene.databases.fault = .staysOpen
        try expect(.databaseNotClosed, scene)
    }

    @Test(
        "class hostile zip: names that lead elsewhere and files that come twice",
        arguments: [
            "../a", "/etc/passwd", "Images/../../b", "a\\b", "a\0b", "", "Images//a",
        ]
    )
    func names(path: String) throws {
        var scene = RestoreScene()
        scene.package.files[1].path = path
        try expect(.badName(path), scene)
        scene.package.files[1] = scene.package.files[0]
        // Where the first is noted it is known by its size, else by the name on the disk.
        scene.package.files[1].bytes.append(1)
        try expect(.duplicateFile("Images/2026/03/a.heic"), scene)
    }

    @Test("a reader that hands parts in another order, or too many bytes, is refused")
    func order() throws {
        let scene = RestoreScene()
        try expect(.outOfOrder, scene) { sink in
            try sink.take(masterKey: ScriptedPackage.key)
            return try scene.package.read(into: sink)
        }
        try expect(.outOfOrder, scene) { sink in
            try sink.begin(try scene.package.manifest())
            try sink.begin(try scene.package.manifest())
            return try scene.package.read(into: sink)
        }
        try expect(.outOfOrder, scene) { sink in
            try sink.begin(try scene.package.manifest())
            try sink.take(["id": "s1"], of: .stories)
            return try scene.package.read(into: sink)
        }
        try expect(.impossibleSize, scene) { sink in
            try sink.begin(try scene.package.manifest())
            try sink.take(masterKey: ScriptedPackage.key)
            try sink.beginFile("a", size: 3)
            try sink.take(fileBytes: [1, 2, 3, 4])
            return try scene.package.read(into: sink)
        }
        try expect(.outOfOrder, scene) { sink in
            try sink.begin(try scene.package.manifest())
            try sink.take(masterKey: ScriptedPackage.key)
            try sink.beginFile("a", size: 3)
            try sink.take(fileBytes: [1])
            try sink.endFile()
            return try scene.package.read(into: sink)
        }
        try expect(.impossibleSize, scene) { sink in
            try sink.begin(try scene.package.manifest())
            try sink.take(masterKey: ScriptedPackage.key)
            try sink.beginFile("a", size: .max)
            return try scene.package.read(into: sink)
        }
    }

    @Test("media: an empty file, names with emoji and a package without any file or record come whole")
    func unusual() throws {
        var scene = RestoreScene()
        scene.package.files[1] = ("Images/2026/03/🌻 é.heic", [])
        let store = try scene.open(scene.diskWithJournal())
        try scene.restore(store)
        #expect(try scene.seen(store)?.files["Media/Images/2026/03/🌻 é.heic"] == [])
        scene.package.files = []
        scene.package.records = [:]
        let bare = try scene.open(scene.diskWithJournal())
        try scene.restore(bare)
        #expect(try scene.seen(bare)?.files.keys.sorted() == ["db.sqlite"])
    }
}
