import AgentHistory
import Conversations
import Foundation
import GRDB
import Kernel
import Logging
import Testing

@testable import ThreadIndex

@Suite("Threads: the list", .timeLimit(.minutes(4))) struct ThreadListTests {
    @Test("threads of all agents, the newest message first, by pages")
    func pages() async throws {
        let home = try ThreadHome()
        for number in 0..<7 {
            try home.write(
                Rollout.name(number),
                [Rollout.meta(number), Rollout.user("thread \(number)", second: 10 + number)]
            )
        }
        try home.write(Session.name(1), [Session.line("user", "u1", after: nil, "newest")])
        let index = try home.index([home.codex, home.claude])
        try await index.catchUp()
        var query = ThreadQuery(limit: 3)
        let first = try await index.list(query)
        #expect(first.threads.map(\.title) == ["newest", "thread 6", "thread 5"])
        #expect(first.total == 8)
        query.cursor = first.next
        let second = try await index.list(query)
        #expect(second.threads.map(\.title) == ["thread 4", "thread 3", "thread 2"])
        query.cursor = second.next
        let third = try await index.list(query)
        #expect(third.threads.map(\.title) == ["thread 1", "thread 0"])
        #expect(third.next == nil)
    }

    @Test("what the list says is what the reader said")
    func whole() async throws {
        let home = try ThreadHome()
        try home.write(
            Rollout.name(1),
            [
                Rollout.meta(
                    1,
                    ["source": ["subagent": "review"], "forked_from_id": "parent", "model_provider": "openai"]
                ),
                Rollout.user("Fix it"),
            ]
        )
        try home.write(Session.name(2), [Session.line("user", "u1", after: nil, "Hello")])
        let index = try home.index([home.codex, home.claude])
        try await index.catchUp()
        let read = home.codex.threads().threads + home.claude.threads().threads
        #expect(Set(try await index.all()) == Set(read))
    }

    @Test("filters: agent, folder, put away, not a person's, and named ones")
    func filters() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("here")])
        try home.write(Rollout.name(2), [Rollout.meta(2, ["cwd": "/tmp/other"]), Rollout.user("elsewhere")])
        try home.write(Rollout.name(3), [Rollout.meta(3, ["source": "exec"]), Rollout.user("program")])
        try home.write(
            ".codex/archived_sessions/rollout-2026-01-02T05-04-05-\(Rollout.id(4)).jsonl",
            [Rollout.meta(4), Rollout.user("old")]
        )
        try home.write(Session.name(1), [Session.line("user", "u1", after: nil, "claude")])
        let index = try home.index([home.codex, home.claude])
        try await index.catchUp()
        func titles(_ query: ThreadQuery) async throws -> Set<String> { Set(try await index.titles(query)) }
        #expect(try await titles(ThreadQuery()) == ["here", "elsewhere", "claude"])
        #expect(try await titles(ThreadQuery(agent: .claudeCode)) == ["claude"])
        #expect(try await titles(ThreadQuery(folder: "/tmp/other")) == ["elsewhere"])
        #expect(try await titles(ThreadQuery(agent: .claudeCode, folder: "/tmp/other")) == [])
        #expect(try await titles(ThreadQuery(includesArchived: true)) == ["here", "elsewhere", "claude", "old"])
        #expect(try await titles(ThreadQuery(includesAll: true)) == ["here", "elsewhere", "claude", "program"])
        let named: Set = [
            ThreadReference(agent: .codex, id: Rollout.id(1)), ThreadReference(agent: .codex, id: Rollout.id(3)),
            ThreadReference(agent: .claudeCode, id: Rollout.id(2)),
        ]
        let some = try await index.list(ThreadQuery(includesAll: true, references: named))
        #expect(Set(some.threads.map(\.title)) == ["here", "program"])
        #expect(some.total == 2)
        #expect(try await index.list(ThreadQuery(references: [])).threads.isEmpty)
        let folders = try await index.folders(agent: nil)
        #expect(
            Set(folders.map { "\($0.path) \($0.count)" }) == ["/home/ada/engine 1", "/tmp/other 1", "/home/ada/page 1"]
        )
        #expect(folders.first?.path == "/home/ada/page")
        #expect(try await index.folders(agent: .claudeCode).map(\.path) == ["/home/ada/page"])
    }

    @Test(
        "cursors that no list gave out are refused",
        arguments: ["", "x", "1", "1.2.3", "1.x", ".", "9223372036854775808.1"]
    )
    func badCursor(text: String) async throws {
        let index = try ThreadHome().index([], inMemory: true)
        await #expect(throws: ThreadIndexError.badCursor) { try await index.list(ThreadQuery(cursor: text)) }
        await #expect(throws: ThreadIndexError.badCursor) {
            try await index.search(ThreadSearch(query: "word", cursor: text))
        }
    }

    @Test("a page goes on behind its last thread when threads come and go meanwhile")
    func movingList() async throws {
        let home = try ThreadHome()
        for number in 0..<6 {
            try home.write(
                Rollout.name(number),
                [Rollout.meta(number), Rollout.user("thread \(number)", second: 10 + number)]
            )
        }
        let index = try home.index([home.codex])
        try await index.catchUp()
        let first = try await index.list(ThreadQuery(limit: 2))
        #expect(first.threads.map(\.title) == ["thread 5", "thread 4"])
        try home.remove(Rollout.name(4))
        try home.remove(Rollout.name(3))
        try home.write(Rollout.name(9), [Rollout.meta(9), Rollout.user("thread 9", second: 59)])
        try await index.catchUp()
        #expect(
            try await index.list(ThreadQuery(limit: 2, cursor: first.next)).threads.map(\.title) == [
                "thread 2", "thread 1",
            ]
        )
    }

    @Test("lists use their indexes, and do not sort")
    func plans() async throws {
        let database = try IndexDatabase(folder: nil, logger: ThreadHome.quiet)
        for (folder, name) in [(nil, "file_list"), ("folder" as String?, "file_folder")] {
            let condition = folder == nil ? "" : "AND file.folder = 'x'"
            let plan = try await database.read { database in
                try Row.fetchAll(
                    database,
                    sql: """
                        EXPLAIN QUERY PLAN SELECT \(ThreadRow.columns) FROM file INDEXED BY \(name)
                        WHERE file.isShown = 1 AND file.isInteractive = 1 \(condition) AND (file.sortTime, file.id) < (5, 5)
                        ORDER BY file.sortTime DESC, file.id DESC LIMIT 5
                        """
                ).map { $0["detail"] as String }
            }
            #expect(!plan.contains { $0.contains("TEMP B-TREE") })
        }
    }
}

@Suite("Threads: keeping the list like the files", .timeLimit(.minutes(4))) struct ThreadKeepingTests {
    @Test("after a restart nothing that is unchanged is opened")
    func restart() async throws {
        let home = try ThreadHome()
        for number in 0..<40 {
            try home.write(Rollout.name(number), [Rollout.meta(number), Rollout.user("thread \(number)")])
        }
        try home.write(Rollout.name(40), [Rollout.meta(40)])
        try home.write(".codex/session_index.jsonl", [#"{"id":"\#(Rollout.id(3))","thread_name":"Named"}"#])
        let codex = home.codex
        let before: [AgentThread]
        do {
            let index = try home.index([codex])
            try await index.catchUp()
            before = try await index.all()
        }
        #expect(Set(codex.takeOpened().filter { $0.hasPrefix("/") }).count == 41)
        let again = try home.index([codex])
        // The list is there before the first look.
        #expect(try await again.all() == before)
        #expect(again.progress == IndexingProgress(done: 0, total: 0))
        try await again.catchUp()
        #expect(again.progress == nil)
        #expect(codex.takeOpened() == [])
        #expect(try await again.all() == before)
        #expect(try await again.found("thread").count == 40 + 39)
    }

    @Test("a changed file is read again, and only that one")
    func changed() async throws {
        let home = try ThreadHome()
        for number in 0..<3 {
            try home.write(Rollout.name(number), [Rollout.meta(number), Rollout.user("thread \(number)")])
        }
        let codex = home.codex
        let index = try home.index([codex])
        try await index.catchUp()
        _ = codex.takeOpened()
        try home.append(Rollout.name(1), [Rollout.agent("Done", second: 50)])
        try await index.catchUp()
        let path = home.path(Rollout.name(1))
        #expect(codex.takeOpened() == [path, "forwards " + path])
        #expect(try await index.titles().first == "thread 1")
        #expect(try await index.found("done") == ["agent: [Done]"])
    }

    @Test("a file without a thread is not opened again until it has one")
    func noThread() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1)])
        let codex = home.codex
        let index = try home.index([codex])
        try await index.catchUp()
        #expect(try await index.all().isEmpty)
        _ = codex.takeOpened()
        try await index.catchUp()
        #expect(codex.takeOpened() == [])
        try home.append(Rollout.name(1), [Rollout.user("Hello")])
        try await index.catchUp()
        #expect(try await index.titles() == ["Hello"])
        #expect(try await index.found("hello") == ["title: [Hello]", "user: [Hello]"])
    }

    @Test("a file that vanished takes its thread and its text with it, and comes back")
    func vanished() async throws {
        let home = try ThreadHome()
        let lines = [Rollout.meta(1), Rollout.user("needle")]
        try home.write(Rollout.name(1), lines)
        let index = try home.index([home.codex])
        try await index.catchUp()
        #expect(try await index.found("needle").count == 2)
        let changes = index.changes()
        try home.remove(Rollout.name(1))
        try await index.catchUp()
        #expect(try await index.all().isEmpty)
        #expect(try await index.found("needle").isEmpty)
        let reference = ThreadReference(agent: .codex, id: Rollout.id(1))
        var first = changes.makeAsyncIterator()
        #expect(await first.next() == .removed(reference))
        await #expect(throws: ThreadIndexError.unknownThread(reference)) {
            try await index.lastPage(of: reference, before: nil, limits: PageLimits())
        }
        try home.write(Rollout.name(1), lines)
        try await index.catchUp()
        #expect(try await index.found("needle").count == 2)
    }

    @Test("compressing and unpacking keep the thread and its text, which is not read again")
    func compressed() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("first words")])
        let codex = home.codex
        let index = try home.index([codex])
        try await index.catchUp()
        let before = try await index.found("words")
        _ = codex.takeOpened()
        try home.compress(Rollout.name(1))
        try await index.catchUp()
        let packed = home.path(Rollout.name(1)) + ".zst"
        #expect(try await index.all().map(\.path) == [packed])
        #expect(try await index.found("words") == before)
        // Its line is new, its text is read on from its end.
        #expect(codex.takeOpened() == [packed, "forwards " + packed])
        // Codex unpacks what is resumed, and writes on.
        let plain = [Rollout.meta(1), Rollout.user("first words"), Rollout.agent("more words", second: 30)]
        try home.write(Rollout.name(1), plain)
        try home.remove(Rollout.name(1) + ".zst")
        try await index.catchUp()
        #expect(try await index.all().map(\.path) == [home.path(Rollout.name(1))])
        #expect(
            try await index.found("words") == ["title: first [words]", "agent: more [words]", "user: first [words]"]
        )
        #expect(codex.takeOpened().filter { $0.hasPrefix("backwards") } == [])
    }

    @Test("moving a file into the archive opens nothing")
    func archived() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("put away")])
        let codex = home.codex
        let index = try home.index([codex])
        try await index.catchUp()
        _ = codex.takeOpened()
        let archive = ".codex/archived_sessions/rollout-2026-01-02T05-04-05-\(Rollout.id(1)).jsonl"
        try home.move(Rollout.name(1), to: archive)
        try await index.catchUp()
        #expect(codex.takeOpened() == [])
        #expect(try await index.titles().isEmpty)
        let all = try await index.all()
        #expect(all.map(\.path) == [home.path(archive)])
        #expect(all.map(\.isArchived) == [true])
        #expect(try await index.found("away").count == 2)
    }

    @Test("a session that is renamed is another thread")
    func renamed() async throws {
        let home = try ThreadHome()
        try home.write(Session.name(1), [Session.line("user", "u1", after: nil, "Hello")])
        let index = try home.index([home.claude])
        try await index.catchUp()
        let changes = index.changes()
        try home.move(Session.name(1), to: Session.name(2))
        try await index.catchUp()
        let all = try await index.all()
        #expect(all.map(\.id) == ["5f6e7d8c-1234-4abc-9def-000000000002"])
        #expect(try await index.found("hello").count == 2)
        var told: Set<String> = []
        for await change in changes {
            switch change {
            case .changed(let thread): told.insert("changed \(thread.id.suffix(1))")
            case .removed(let thread): told.insert("removed \(thread.id.suffix(1))")
            case .grown: continue
            }
            if told.isSuperset(of: ["changed 2", "removed 1"]) { break }
        }
    }

    @Test("of several files of one thread the newest counts, and when it goes the next")
    func severalFiles() async throws {
        let home = try ThreadHome()
        let other = Rollout.day + "rollout-2026-01-03T05-04-05-\(Rollout.id(1)).jsonl"
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("older")], date: 1_780_000_000_000)
        try home.write(other, [Rollout.meta(1), Rollout.user("newer")], date: 1_780_000_001_000)
        let index = try home.index([home.codex])
        try await index.catchUp()
        #expect(try await index.titles() == ["newer"])
        #expect(try await index.found("older").isEmpty)
        try home.date(Rollout.name(1), 1_780_000_002_000)
        try await index.catchUp()
        #expect(try await index.titles() == ["older"])
        #expect(try await index.found("older").count == 2)
        #expect(try await index.found("newer").isEmpty)
        try home.remove(Rollout.name(1))
        try await index.catchUp()
        #expect(try await index.titles() == ["newer"])
        #expect(try await index.found("newer").count == 2)
    }

    @Test("a fork is a thread of its own, although it repeats its parent")
    func fork() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("parent")])
        try home.write(
            Rollout.name(2),
            [
                Rollout.meta(2, ["forked_from_id": .string(Rollout.id(1))]), Rollout.meta(1),
                Rollout.user("parent", second: 20),
            ]
        )
        let index = try home.index([home.codex])
        try await index.catchUp()
        let all = try await index.all()
        #expect(all.map(\.id) == [Rollout.id(2), Rollout.id(1)])
        #expect(all.first?.parentID == Rollout.id(1))
    }

    @Test("names that people give and take back are titles, in the list and in the search")
    func names() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Fix the build")])
        let codex = home.codex
        let index = try home.index([codex])
        try await index.catchUp()
        #expect(try await index.titles() == ["Fix the build"])
        let changes = index.changes()
        let file = ".codex/session_index.jsonl"
        try home.write(file, [#"{"id":"\#(Rollout.id(1))","thread_name":"Rocket"}"#])
        _ = codex.takeOpened()
        try await index.catchUp()
        #expect(codex.takeOpened() == ["names"])
        #expect(try await index.titles() == ["Rocket"])
        #expect(try await index.found("rocket") == ["title: [Rocket]"])
        #expect(try await index.found("build") == ["user: Fix the [build]"])
        var told = changes.makeAsyncIterator()
        guard case .changed(let thread)? = await told.next() else {
            Issue.record("no change was told")
            return
        }
        #expect(thread.title == "Rocket")
        // A name for a thread that comes later.
        try home.append(
            file,
            [#"{"id":"\#(Rollout.id(2))","thread_name":"Later"}"#, #"{"id":"\#(Rollout.id(1))","thread_name":""}"#]
        )
        try home.write(Rollout.name(2), [Rollout.meta(2), Rollout.user("Something", second: 1)])
        try await index.catchUp()
        #expect(try await index.titles() == ["Fix the build", "Later"])
        try home.append(Rollout.name(2), [Rollout.agent("Done", second: 40)])
        try await index.catchUp()
        #expect(try await index.titles() == ["Later", "Fix the build"])
        try home.remove(file)
        try await index.catchUp()
        #expect(try await index.titles() == ["Something", "Fix the build"])
    }

    @Test("a name that only the rollout notes is the title, until the list of names has another")
    func notedNames() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Fix the build")])
        let index = try home.index([home.codex])
        try await index.catchUp()
        #expect(try await index.titles() == ["Fix the build"])
        let event: JSONValue = [
            "type": "thread_name_updated", "thread_id": .string(Rollout.id(1)), "thread_name": "Rocket",
        ]
        try home.append(Rollout.name(1), [Rollout.line("event_msg", event, second: 9)])
        try await index.catchUp()
        #expect(try await index.titles() == ["Rocket"])
        #expect(try await index.found("rocket") == ["title: [Rocket]"])
        let file = ".codex/session_index.jsonl"
        try home.write(file, [#"{"id":"\#(Rollout.id(1))","thread_name":"Engine"}"#])
        try await index.catchUp()
        #expect(try await index.titles() == ["Engine"])
        try home.remove(file)
        try await index.catchUp()
        #expect(try await index.titles() == ["Rocket"])
    }

    @Test("rows of a folder that cannot be looked at now stay")
    func hiddenFolder() throws {
        let home = try ThreadHome()
        let row = FileRow(
            id: 1,
            key: "/a/b/c.jsonl",
            path: "/a/b/c.jsonl",
            identity: FileIdentity(device: 1, inode: 2, size: 3, modifiedMilliseconds: 4),
            isArchived: false,
            thread: nil
        )
        #expect(ScanPlan(HistoryListing(), [row]).gone == [1])
        #expect(ScanPlan(HistoryListing(problems: [.denied(path: "/a/b")]), [row]).gone == [])
        #expect(ScanPlan(HistoryListing(problems: [.denied(path: "/a/x")]), [row]).gone == [1])
        _ = home
    }

    @Test("a thread whose file the index has not seen is found by its name")
    func unseen() async throws {
        let home = try ThreadHome()
        let index = try home.index([home.codex, home.claude])
        try await index.catchUp()
        #expect(try await index.thread(Rollout.id(1), agent: nil) == nil)
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Hello")])
        #expect(try await index.thread(Rollout.id(1), agent: .claudeCode) == nil)
        #expect(try await index.thread(Rollout.id(1), agent: nil)?.title == "Hello")
        #expect(try await index.titles() == ["Hello"])
        // Moved since.
        try home.move(
            Rollout.name(1),
            to: ".codex/archived_sessions/rollout-2026-01-02T05-04-05-\(Rollout.id(1)).jsonl"
        )
        let page = try await index.lastPage(
            of: ThreadReference(agent: .codex, id: Rollout.id(1)),
            before: nil,
            limits: PageLimits()
        )
        #expect(page.items.count == 1)
        #expect(try await index.thread("", agent: nil) == nil)
    }

    @Test("pages are read through the index, forwards and backwards")
    func pages() async throws {
        let home = try ThreadHome()
        try home.write(
            Rollout.name(1),
            [Rollout.meta(1), Rollout.user("one"), Rollout.agent("two"), Rollout.user("three")]
        )
        let index = try home.index([home.codex])
        try await index.catchUp()
        let thread = ThreadReference(agent: .codex, id: Rollout.id(1))
        let last = try await index.lastPage(of: thread, before: nil, limits: PageLimits(items: 2))
        #expect(last.items.count == 2)
        let older = try await index.lastPage(of: thread, before: last.older, limits: PageLimits(items: 2))
        #expect(older.items.count == 1)
        #expect(try await index.page(of: thread, from: last.newer, limits: PageLimits()).items.isEmpty)
        try home.append(Rollout.name(1), [Rollout.agent("four")])
        #expect(try await index.page(of: thread, from: last.newer, limits: PageLimits()).items.count == 1)
        // A cursor behind the end is the reader's to refuse.
        await #expect(throws: AgentHistoryError.self) {
            try await index.page(of: thread, from: ConversationCursor(offset: 1 << 40), limits: PageLimits())
        }
    }

    @Test("an agent that is added later is listed, and one that is not there is not")
    func added() async throws {
        let home = try ThreadHome()
        try home.write(Session.name(1), [Session.line("user", "u1", after: nil, "claude")])
        do {
            let index = try home.index([])
            index.add(home.claude)
            index.add(home.claude)
            try await index.catchUp()
            #expect(try await index.titles() == ["claude"])
        }
        // The cache has it still.
        let without = try home.index([home.codex])
        try await without.catchUp()
        #expect(try await without.titles() == [])
        #expect(try await without.found("claude") == [])
        #expect(try await without.thread("5f6e7d8c-1234-4abc-9def-000000000001", agent: nil) == nil)
    }

    @Test("nothing is written to the agents' folders")
    func readOnly() async throws {
        let home = try ThreadHome()
        try home.write(Rollout.name(1), [Rollout.meta(1), Rollout.user("Hello")])
        func state() throws -> [String] {
            let files = try #require(FileManager.default.enumerator(atPath: home.path(".codex")))
            return try files.compactMap { $0 as? String }.sorted().map { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: home.path(".codex/" + name))
                return "\(name) \(attributes[.modificationDate] ?? "") \(attributes[.size] ?? "")"
            }
        }
        let before = try state()
        let index = try home.index([home.codex])
        try await index.catchUp()
        _ = try await index.found("hello")
        #expect(try state() == before)
    }
}
