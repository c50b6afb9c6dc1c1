import AgentHistory
import Conversations
import Foundation
import GRDB
import Kernel
import Testing

@testable import Storage
@testable import ThreadIndex

@Suite("Threads: the first look at many files", .timeLimit(.minutes(4))) struct FirstLookTests {
    /// Every third file holds a thread of another file too, every seventh none, and some threads have names.
    private func home(_ count: Int) throws -> ThreadHome {
        let home = try ThreadHome()
        for number in 0..<count {
            var lines = [Rollout.meta(number % 3 == 2 ? number - 1 : number)]
            if number % 7 != 6 { lines.append(Rollout.user("needle “\(number)” 漢字 e\u{301}", second: number % 60)) }
            try home.write(Rollout.name(number), lines, date: 1_790_000_000_000 + Int64(number * 37 % 11) * 1000)
        }
        try home.write(
            ".codex/session_index.jsonl",
            [#"{"id":"\#(Rollout.id(3))","thread_name":"given"}"#, #"{"id":"\#(Rollout.id(9000))","thread_name":"x"}"#]
        )
        return home
    }

    private func entries(_ home: ThreadHome) throws -> [ScannedFile] {
        let reader = home.codex
        return try reader.files(limit: HistoryListing.limit).entries.map {
            ScannedFile(entry: $0, thread: try reader.thread(of: $0, names: [:]))
        }
    }

    /// All rows but for their numbers.
    private func rows(_ database: Database) throws -> Set<Row> {
        let kept = try database.columns(in: "file").map(\.name).filter { $0 != "id" }
        return Set(try Row.fetchAll(database, sql: "SELECT \(kept.joined(separator: ", ")) FROM file"))
    }

    private func checkWords(_ database: Database) throws {
        for table in ["title_index", "item_index"] {
            // Compares the index of words with the rows that it is of.
            try database.execute(sql: "INSERT INTO \(table) (\(table), rank) VALUES ('integrity-check', 1)")
        }
    }

    private func database(_ files: [ScannedFile], _ names: [String: String], _ write: (Database) throws -> Void) throws
        -> DatabaseQueue
    {
        let queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(sql: IndexTables.sql)
            _ = try FileStore.take(names: names, from: nil, of: .codex, in: database)
            try write(database)
        }
        return queue
    }

    @Test("files that are added together have the rows of files that are added one by one", arguments: [1, 7, 500])
    func sameRows(size: Int) throws {
        let home = try home(60)
        let files = try entries(home)
        let names = home.codex.names()
        #expect(names.count == 2)
        let together = try database(files, names) { database in
            for start in stride(from: 0, to: files.count, by: size) {
                let part = Array(files[start..<min(start + size, files.count)])
                let changes = try FileStore.add(part, in: database)
                #expect(changes.changes.isEmpty && changes.known.count + changes.forgotten.count == part.count)
            }
        }
        let alone = try database(files, names) { database in
            for file in files.reversed() { _ = try FileStore.apply([file], tells: false, in: database) }
        }
        let expected = try alone.read { try rows($0) }
        #expect(expected.count == 60)
        #expect(try together.read { try rows($0) } == expected)
        for queue in [together, alone] { try queue.write { try checkWords($0) } }
        let shown = try together.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM file WHERE isShown = 1") }
        #expect(shown == Set(files.compactMap(\.thread?.id)).count)
    }

    @Test("a file that came to the index meanwhile is taken as it is now, once")
    func knownMeanwhile() throws {
        let home = try home(12)
        let before = try entries(home)
        try home.append(Rollout.name(4), [Rollout.user("more", second: 59)])
        let now = try entries(home)
        let queue = try database(now, [:]) { database in
            _ = try FileStore.apply(
                before.filter { $0.entry.path == home.path(Rollout.name(4)) },
                tells: true,
                in: database
            )
            // The same file twice in one go, too.
            _ = try FileStore.add(now + now.prefix(2), in: database)
        }
        let alone = try database(now, [:]) { _ = try FileStore.apply(now, tells: false, in: $0) }
        #expect(try queue.read { try rows($0) } == alone.read { try rows($0) })
        try queue.write { try checkWords($0) }
    }

    @Test("thousands of files are listed, and what was read of them is found")
    func many() async throws {
        let home = try home(1500)
        let reader = home.codex
        let index = try home.index([reader])
        try await index.catchUp()
        let opened = reader.takeOpened().filter { $0.hasPrefix("/") }
        #expect(opened.count == 1500 && Set(opened).count == 1500)
        let threads = Set(try entries(home).compactMap(\.thread?.id))
        #expect(try await index.list(ThreadQuery()).total == threads.count)
        let hits = try await index.search(ThreadSearch(query: "漢字", limit: 100)).hits
        #expect(hits.filter { $0.kind == "title" }.count == 100)
        let pool = try DatabaseQueue(path: IndexDatabase.file(in: home.cache).path)
        try await pool.write { try self.checkWords($0) }
    }

    @Test("texts of characters that stay composed need no composing")
    func composed() {
        var changing: [Unicode.Scalar] = []
        var joining: [Unicode.Scalar] = []
        for scalar in (0..<0x20000 as Range<UInt32>).lazy.compactMap(Unicode.Scalar.init) {
            let text = String(scalar)
            if SearchText.staysComposed(scalar) {
                let composed = text.precomposedStringWithCanonicalMapping.unicodeScalars
                let isFirst = scalar.properties.canonicalCombiningClass == .notReordered
                if !isFirst || !composed.elementsEqual([scalar]) { changing.append(scalar) }
            }
            // What a composed character ends with joins with what is before it.
            let parts = text.decomposedStringWithCanonicalMapping.unicodeScalars.dropFirst()
            joining += parts.filter(SearchText.staysComposed)
        }
        #expect(changing.isEmpty)
        #expect(joining.isEmpty)
        #expect(SearchText.staysComposed("…") && SearchText.staysComposed("漢") && !SearchText.staysComposed("\u{301}"))
    }
}
