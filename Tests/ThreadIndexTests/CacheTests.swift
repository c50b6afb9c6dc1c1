import AgentHistory
import Conversations
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Testing

@testable import ThreadIndex

@Suite("Threads: the cache", .timeLimit(.minutes(4))) struct ThreadCacheTests {
    private func home() throws -> ThreadHome {
        let home = try ThreadHome()
        for number in 0..<5 {
            try home.write(
                Rollout.name(number),
                [Rollout.meta(number), Rollout.user("needle \(number)", second: 10 + number)]
            )
        }
        return home
    }

    private func index(_ home: ThreadHome, _ lines: Lines, pageLimit: Int? = nil) throws -> ThreadIndex {
        let database = try IndexDatabase(folder: home.cache, pageLimit: pageLimit, logger: lines.logger)
        return ThreadIndex(database, readers: [home.codex], watch: nil, time: .system, logger: lines.logger)
    }

    @Test("only its owner may read it, and backups leave it out")
    func permissions() async throws {
        let home = try home()
        let index = try index(home, Lines())
        try await index.catchUp()
        let files = FileManager.default
        for name in ["", "threads.sqlite", "threads.sqlite-wal"] {
            let attributes = try files.attributesOfItem(atPath: home.cache.path + "/" + name)
            #expect((attributes[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0, "\(name)")
        }
        let tag = try String(contentsOf: home.cache.appending(path: "CACHEDIR.TAG"), encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test(
        "a file that is no database, one of another version and one of something else are made anew, with a line in the log",
        arguments: ["no database at all", "newer", "foreign"]
    )
    func madeAnew(kind: String) async throws {
        let home = try home()
        let file = IndexDatabase.file(in: home.cache)
        try FileManager.default.createDirectory(at: home.cache, withIntermediateDirectories: true)
        switch kind {
        case "newer":
            let index = try index(home, Lines())
            try await index.catchUp()
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { try $0.execute(sql: "PRAGMA user_version = 99; DROP TABLE item") }
        case "foreign":
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { try $0.execute(sql: "CREATE TABLE file (x)") }
        default:
            try Data(String(repeating: kind, count: 1000).utf8).write(to: file)
        }
        let lines = Lines()
        let index = try index(home, lines)
        #expect(!index.isInMemory)
        #expect(lines.all.filter { $0.hasPrefix("the index of threads is made anew") }.count == 1)
        try await index.catchUp()
        #expect(try await index.all().count == 5)
        #expect(try await index.found("needle").count == 10)
        // It stays from then on.
        let again = Lines()
        #expect(try await self.index(home, again).all().count == 5)
        #expect(again.all.isEmpty)
    }

    @Test("a file that is damaged while it is used is made anew")
    func damaged() async throws {
        let home = try home()
        do {
            let index = try index(home, Lines())
            try await index.catchUp()
        }
        let file = IndexDatabase.file(in: home.cache)
        do {
            let queue = try DatabaseQueue(path: file.path)
            try await queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
        for suffix in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: file.path + suffix) {
            try FileManager.default.removeItem(atPath: file.path + suffix)
        }
        var bytes = try Data(contentsOf: file)
        for index in bytes.indices where index > 4096 { bytes[index] = 0xA5 }
        try bytes.write(to: file)
        let lines = Lines()
        let index = try index(home, lines)
        // The list says what is wrong at most once, and is whole after the next look.
        _ = try? await index.all()  // it may notice the damage
        try? await index.catchUp()  // or this
        try await index.catchUp()
        #expect(try await index.all().count == 5)
        #expect(try await index.found("needle").count == 10)
        #expect(!index.isInMemory)
        #expect(lines.all.contains { $0.hasPrefix("the index of threads is made anew") }, "\(lines.all)")
    }

    @Test("where its folder cannot be used the index is in memory, with a line in the log")
    func noFolder() async throws {
        let home = try home()
        // A file in the folder's place: also for a user who may write everywhere.
        try home.write("cache", ["x"])
        let lines = Lines()
        let index = try index(home, lines)
        try await index.catchUp()
        #expect(index.isInMemory)
        #expect(try await index.all().count == 5)
        #expect(try await index.found("needle").count == 10)
        #expect(lines.all.count == 1)
        #expect(lines.all.first?.hasPrefix("the index of threads is kept in memory") == true)
    }

    @Test("a disk that is full ends in an error with a sentence, then the list goes on from memory")
    func fullDisk() async throws {
        let home = try home()
        for number in 5..<200 {
            try home.write(
                Rollout.name(number),
                [
                    Rollout.meta(number),
                    Rollout.user("needle \(number) " + String(repeating: "words ", count: 30), second: number),
                ]
            )
        }
        let lines = Lines()
        let index = try index(home, lines, pageLimit: 60)
        await #expect(throws: ThreadIndexError.cacheFailed(reason: "the disk is full")) { try await index.catchUp() }
        #expect(index.isInMemory)
        try await index.catchUp()
        #expect(try await index.all().count == 200)
        #expect(try await index.found("needle 7 ").count == 2)
        #expect(lines.all.count == 1)
    }

    @Test("a running index that has to begin anew does so by itself")
    func runningAnew() async throws {
        let home = try home()
        for number in 5..<200 {
            try home.write(
                Rollout.name(number),
                [
                    Rollout.meta(number),
                    Rollout.user("needle \(number) " + String(repeating: "words ", count: 30), second: number),
                ]
            )
        }
        let index = try index(home, Lines(), pageLimit: 45)
        try await running(index) { index in
            for await progress in index.progressChanges() where progress == nil && index.isInMemory { break }
            let all = try await index.all()
            #expect(all.count == 200)
        }
    }
}

@Suite("Threads: any order of changes", .timeLimit(.minutes(4))) struct ThreadPropertyTests {
    @Test("an index that followed random changes has what a fresh one has", arguments: 0..<6)
    func follows(seed: Int) async throws {
        let home = try ThreadHome()
        var generator = SeededGenerator(seed: UInt64(seed + 1))
        let followed = try home.index([home.codex, home.claude])
        var second = 0
        var claudeParents: [Int: String] = [:]
        func words() -> String {
            let all = ["zebra", "needle", "日本語", "build", "Brücke", "fix"]
            return (0..<Int.random(in: 1...4, using: &generator)).map { _ in all.randomElement(using: &generator) ?? ""
            }
            .joined(separator: " ") + " w\(second)"
        }
        for round in 0..<25 {
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                second += 1
                let number = Int.random(in: 0..<6, using: &generator)
                let name = Rollout.name(number)
                let hasPlain = FileManager.default.fileExists(atPath: home.path(name))
                let hasPacked = FileManager.default.fileExists(atPath: home.path(name + ".zst"))
                switch Int.random(in: 0..<10, using: &generator) {
                case 0 where hasPlain: try home.remove(name)
                case 1 where hasPlain: try home.compress(name)
                case 2 where hasPlain:
                    // Written anew, as after an edit: another file at the same path.
                    try home.write("new", [Rollout.meta(number), Rollout.user(words(), second: second)])
                    try home.remove(name)
                    try home.move("new", to: name)
                case 3 where hasPlain:
                    try home.append(name, [Rollout.rollback(1, second: second), Rollout.user(words(), second: second)])
                case 4 where hasPacked && !hasPlain: try home.remove(name + ".zst")
                case 5:
                    let session = Session.name(number)
                    let id = "r\(second)"
                    let type =
                        claudeParents[number] == nil
                        ? "user" : ["user", "assistant"].randomElement(using: &generator) ?? ""
                    let line = Session.line(type, id, after: claudeParents[number], words(), second: second % 60)
                    if FileManager.default.fileExists(atPath: home.path(session)) {
                        try home.append(session, [line])
                    } else {
                        try home.write(session, [line])
                    }
                    claudeParents[number] = id
                case 6:
                    let names = try? String(contentsOfFile: home.path(".codex/session_index.jsonl"), encoding: .utf8)
                    let row = #"{"id":"\#(Rollout.id(number))","thread_name":"\#(second % 3 == 0 ? "" : words())"}"#
                    try home.write(".codex/session_index.jsonl", Array(((names ?? "") + row + "\n").utf8))
                default:
                    if hasPacked && !hasPlain { continue }
                    if hasPlain {
                        try home.append(name, [Rollout.agent(words(), second: second)])
                    } else {
                        try home.write(name, [Rollout.meta(number), Rollout.user(words(), second: second)])
                    }
                }
            }
            try await followed.catchUp()
            guard round % 5 == 4 else { continue }
            let fresh = try home.index([home.codex, home.claude], inMemory: true)
            try await fresh.catchUp()
            #expect(Set(try await followed.all()) == Set(try await fresh.all()), "round \(round)")
            for query in ["zebra", "needle", "日本", "bui", "brucke", "w1", "fix zebra"] {
                let (ours, theirs) = (try await followed.found(query), try await fresh.found(query))
                #expect(ours.sorted() == theirs.sorted(), "\(query) in round \(round)")
            }
        }
    }
}
