import Foundation
import GRDB
import Testing

@testable import Sections

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("A staged state that takes its place on a disk", .timeLimit(.minutes(4)))
struct SystemSwapTests {
    private static func texts(_ url: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }  // it only read
        return try queue.read { try String.fetchAll($0, sql: "SELECT text FROM letter ORDER BY text") }
    }

    /// A database whose last rows are in its log alone, as a killed program leaves it.
    private static func killed(at url: URL, in folder: URL) throws {
        let original = folder.appending(path: "original.sqlite")
        let pool = try DatabasePool(path: original.path)
        try pool.write { try $0.execute(sql: "CREATE TABLE letter (text TEXT); INSERT INTO letter VALUES ('old')") }
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: original.path + end, toPath: url.path + end)
        }
        try pool.close()
    }

    /// A state with a database, whose last row is in its log, and a key; beside it a staged one.
    private static func makeStates(in root: URL) throws {
        for name in ["s/keys", "b/keys", "a"] {
            try FileManager.default.createDirectory(at: root.appending(path: name), withIntermediateDirectories: true)
        }
        try killed(at: root.appending(path: "s/tandem.sqlite"), in: root)
        try Data("old".utf8).write(to: root.appending(path: "s/keys/identity"))
        let staged = try DatabaseQueue(path: root.appending(path: "b/tandem.sqlite").path)
        try staged.write { try $0.execute(sql: "CREATE TABLE letter (text TEXT); INSERT INTO letter VALUES ('new')") }
        try staged.close()
        try Data("new".utf8).write(to: root.appending(path: "b/keys/identity"))
        try SwapPlan(names: ["tandem.sqlite", "keys/identity"]).write(to: root.appending(path: "b"))
    }

    private static func swap(_ root: URL, undoing isUndoing: Bool = false, files: any SwapFiles = SystemSwapFiles())
        -> StateSwap
    {
        func folder(_ name: String) -> URL { root.appending(path: name, directoryHint: .isDirectory) }
        let (new, old) = (folder("b"), folder("a"))
        return StateSwap(
            state: folder("s"),
            incoming: isUndoing ? old : new,
            outgoing: isUndoing ? new : old,
            files: files
        )
    }

    /// What the state says: its row and its key.
    private static func says(_ root: URL) throws -> [String] {
        let key = try Data(contentsOf: root.appending(path: "s/keys/identity"))
        return try texts(root.appending(path: "s/tandem.sqlite")) + [String(decoding: key, as: UTF8.self)]
    }

    /// Runs one call of a swap in a process of its own, which the system ends at its k-th call; no later one is reached.
    private static func runKilled(_ root: URL, at end: Int, preparing isPreparing: Bool) async {
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = root.path as String, end = end as Int, isPreparing = isPreparing as Bool] in
            let swap = SystemSwapTests.swap(URL(fileURLWithPath: path), files: KillingFiles(endingAt: end))
            if isPreparing { try swap.prepare() } else { try swap.perform() }
        }
    }

    @Test("a process that kill -9 ends at any call before the commit leaves the old state, after it the new one, whole")
    func killedForReal() async throws {
        let manager = FileManager.default
        let root = manager.temporaryDirectory.appending(path: "tandem-kill-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: root) }  // what is left is in a temporary folder
        try Self.makeStates(in: root)
        let (before, after) = (KillingFiles(endingAt: .max), KillingFiles(endingAt: .max))
        try Self.swap(root, files: before).prepare()
        try Self.swap(root, files: after).perform()
        #expect(before.calls > 8 && after.calls > 20)
        let kills = (1...before.calls).map { (true, $0) } + (1...after.calls).map { (false, $0) }
        for (isPreparing, end) in kills {
            try manager.removeItem(at: root)
            try Self.makeStates(in: root)
            if !isPreparing { try Self.swap(root).prepare() }
            await Self.runKilled(root, at: end, preparing: isPreparing)
            if isPreparing {
                #expect(try Self.says(root) == ["old", "old"], "prepare, killed at \(end)")
                try Self.swap(root).prepare()
            }
            try Self.swap(root).perform()
            #expect(try Self.says(root) == ["new", "new"], "killed at \(end)")
            try Self.swap(root, undoing: true).prepare()
            try Self.swap(root, undoing: true).perform()
            #expect(try Self.says(root) == ["old", "old"], "killed at \(end), undone")
        }
    }

    @Test("rows in a log that a killed program left go out with their database, and meet no other; undone, all is back")
    func log() throws {
        let manager = FileManager.default
        let root = manager.temporaryDirectory.appending(path: "tandem-swap-\(UUID().uuidString)")
        defer { try? manager.removeItem(at: root) }  // what is left is in a temporary folder
        let folders = ["s", "a", "b"].map { root.appending(path: $0, directoryHint: .isDirectory) }
        for folder in folders { try manager.createDirectory(at: folder, withIntermediateDirectories: true) }
        let (state, old, new) = (folders[0], folders[1], folders[2])
        let live = state.appending(path: "tandem.sqlite")
        try Self.killed(at: live, in: root)
        #expect(manager.fileExists(atPath: live.path + "-wal"))
        let staged = try DatabaseQueue(path: new.appending(path: "tandem.sqlite").path)
        try staged.write { try $0.execute(sql: "CREATE TABLE letter (text TEXT); INSERT INTO letter VALUES ('new')") }
        try staged.close()
        try SwapPlan(names: ["tandem.sqlite"]).write(to: new)

        #expect(try StateSwap(state: state, incoming: new, outgoing: old).perform())
        #expect(!manager.fileExists(atPath: live.path + "-wal"))
        #expect(try Self.texts(live) == ["new"])
        #expect(try Self.texts(old.appending(path: "tandem.sqlite")) == ["old"])

        #expect(try StateSwap(state: state, incoming: old, outgoing: new).perform())
        #expect(try Self.texts(live) == ["old"])
        #expect(try !StateSwap(state: state, incoming: old, outgoing: new).perform())
    }

    @Test(
        "a plan that names something outside of the state folder is refused",
        arguments: ["../x", "/x", "a/../b", "a//b", "a/b/c"]
    )
    func plan(name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-plan-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // what is left is in a temporary folder
        try SwapPlan(names: ["keys/identity", name]).write(to: folder)
        #expect(throws: SectionError.badName(name)) { try SwapPlan.read(in: folder) }
    }
}
