import Foundation
import GRDB
import Testing

@testable import Sections

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
