import AgentHistory
import Conversations
import Foundation
import Kernel
import Testing

@Suite("Codex: what a list says about a thread") struct CodexListTests {
    private static let created: Int64 = 1_767_323_045_250
    private static let updated: Int64 = 1_790_000_000_123

    private func only(_ history: CodexHistory) throws -> AgentThread {
        let listing = history.threads()
        #expect(listing.problems.isEmpty)
        #expect(listing.threads.count == 1)
        return try #require(listing.threads.first)
    }

    @Test("a rollout of today's form, in its folder of the day")
    func modern() throws {
        let home = try HistoryHome()
        let path = try home.write(
            Rollout.day + Rollout.name,
            lines: [
                Rollout.meta(),
                Rollout.item([
                    "type": "message", "role": "user",
                    "content": [["type": "input_text", "text": "<environment_context>"]],
                ]),
                Rollout.user("Fix the  build\nplease", second: 7), Rollout.agent("Done.", second: 9),
            ]
        )
        let size = try Data(contentsOf: URL(filePath: path)).count
        #expect(
            try only(home.codex)
                == AgentThread(
                    agent: .codex,
                    id: Rollout.id,
                    title: "Fix the build please",
                    workingFolder: "/home/ada/engine",
                    gitBranch: "main",
                    modelProvider: "openai",
                    version: "0.120.0",
                    source: .terminal,
                    parentID: nil,
                    createdMilliseconds: Self.created,
                    updatedMilliseconds: Self.updated,
                    lastMessageMilliseconds: 1_767_323_049_500,
                    isInteractive: true,
                    isArchived: false,
                    path: path,
                    size: Int64(size)
                )
        )
    }

    @Test(
        "a rollout that lies unnested or flat in sessions is found",
        arguments: [".codex/sessions/", ".codex/sessions/2026/"]
    )
    func flat(folder: String) throws {
        let home = try HistoryHome()
        try home.write(folder + Rollout.name, lines: [Rollout.meta(), Rollout.user("Hello")])
        #expect(try only(home.codex).id == Rollout.id)
    }

    @Test("CODEX_HOME replaces the folder in the home")
    func codexHome() throws {
        let home = try HistoryHome()
        try home.write(".codex/sessions/" + Rollout.name, lines: [Rollout.meta(id: "other"), Rollout.user("Not this")])
        try home.write("elsewhere/sessions/" + Rollout.name, lines: [Rollout.meta(), Rollout.user("This")])
        #expect(try only(home.codex(["CODEX_HOME": home.path + "/elsewhere"])).title == "This")
        #expect(try only(home.codex(["CODEX_HOME": "~/elsewhere"])).title == "This")
        #expect(
            home.codex(["CODEX_HOME": ""]).folders == [
                home.path + "/.codex/sessions", home.path + "/.codex/archived_sessions",
            ]
        )
    }

    @Test("CODEXD_HISTORY_DIR and the folders of CODEX_EXTRA_DIRS are read too, whatever the files are called")
    func extraFolders() throws {
        let home = try HistoryHome()
        for (index, folder) in ["history", "one", "two"].enumerated() {
            try home.write("\(folder)/saved-\(index).jsonl", lines: [Rollout.meta(id: folder), Rollout.user(folder)])
        }
        let history = home.codex([
            "CODEXD_HISTORY_DIR": home.path + "/history", "CODEX_EXTRA_DIRS": "\(home.path)/one::~/two:relative",
        ])
        #expect(Set(history.threads().threads.map(\.id)) == ["history", "one", "two"])
    }

    @Test("other folders of rollouts in the home are found, and whole working copies are not walked")
    func otherFolders() throws {
        let home = try HistoryHome()
        try home.write(".codex/imported/2026/01/02/" + Rollout.name, lines: [Rollout.meta(), Rollout.user("Hello")])
        try home.write(
            ".codex/worktrees/engine/src/" + Rollout.name,
            lines: [Rollout.meta(id: "x"), Rollout.user("No")]
        )
        #expect(try only(home.codex).title == "Hello")
    }

    @Test("folders called openagents are left out")
    func openagents() throws {
        let home = try HistoryHome()
        try home.write(".codex/sessions/openagents/" + Rollout.name, lines: [Rollout.meta(), Rollout.user("No")])
        try home.write(".codex/openagents/" + Rollout.name, lines: [Rollout.meta(), Rollout.user("No")])
        #expect(home.codex.threads() == ThreadListing())
    }

    @Test("archived sessions are marked")
    func archived() throws {
        let home = try HistoryHome()
        try home.write(".codex/archived_sessions/" + Rollout.name, lines: [Rollout.meta(), Rollout.user("Old")])
        #expect(try only(home.codex).isArchived)
    }

    @Test("a compressed rollout lists like a plain one")
    func compressed() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Rollout.name + ".zst", packed: [Rollout.meta(), Rollout.user("Cold", second: 8)])
        let thread = try only(home.codex)
        #expect(thread.id == Rollout.id && thread.title == "Cold")
        #expect(thread.lastMessageMilliseconds == 1_767_323_048_500)
        #expect(thread.path.hasSuffix(".jsonl.zst"))
    }

    @Test("of a plain file and its compressed one the plain one counts, and temporary files do not")
    func plainWins() throws {
        let home = try HistoryHome()
        let name = Rollout.day + Rollout.name
        try home.write(name + ".zst", packed: [Rollout.meta(), Rollout.user("Old")], modified: Self.updated + 5)
        try home.write(name, lines: [Rollout.meta(), Rollout.user("New")])
        try home.write(name + ".zst.tmp", [1, 2, 3])
        try home.write(name + ".tmp", lines: [Rollout.meta(id: "tmp"), Rollout.user("Temporary")])
        #expect(try only(home.codex).title == "New")
    }

    @Test("a file that is compressed between listing and reading is read under its new name")
    func vanished() throws {
        let home = try HistoryHome()
        let lines = [Rollout.meta(), Rollout.user("Moved")]
        let path = try home.write(Rollout.day + Rollout.name, lines: lines)
        let entry = try #require(home.codex.files().entries.first)
        try home.write(Rollout.day + Rollout.name + ".zst", packed: lines)
        try FileManager.default.removeItem(atPath: path)
        #expect(try home.codex.thread(of: entry, names: [:])?.title == "Moved")
        try FileManager.default.removeItem(atPath: path + ".zst")
        #expect(throws: AgentHistoryError.notFound(path: path)) { try home.codex.thread(of: entry, names: [:]) }
    }

    @Test("the name that a person gave beats the preview; the last row of an id counts")
    func names() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta(), Rollout.user("Preview")])
        try home.write(
            ".codex/session_index.jsonl",
            lines: [
                json(["id": .string(Rollout.id), "thread_name": "First", "updated_at": "2026-01-01T00:00:00Z"]),
                "broken", json(["id": "other", "thread_name": "First"]),
                json(["id": .string(Rollout.id), "thread_name": "Engine  room", "updated_at": "2026-01-02T00:00:00Z"]),
            ]
        )
        #expect(try only(home.codex).title == "Engine room")
        #expect(home.codex.names() == [Rollout.id: "Engine room", "other": "First"])
    }

    @Test("a fork has its own id, not its parent's")
    func fork() throws {
        let home = try HistoryHome()
        let parent = (0..<6).map { Rollout.meta(id: "parent-\($0)", ["cwd": "/elsewhere"]) }
        try home.write(
            Rollout.day + Rollout.name,
            lines: [Rollout.meta(["forked_from_id": "parent-0"])] + parent + [Rollout.user("Forked")]
        )
        let thread = try only(home.codex)
        #expect(thread.id == Rollout.id && thread.parentID == "parent-0" && thread.workingFolder == "/home/ada/engine")
    }

    @Test(
        "a source is a word or an object; only terminal and editor are interactive",
        arguments: [
            (JSONValue.string("cli"), ThreadSource.terminal, true), ("vscode", .editor, true), ("exec", .exec, false),
            ("mcp", .mcp, false), ("later", .other("later"), false),
            (["subagent": "review"], .subagent("review"), false),
            (["subagent": ["thread_spawn": ["depth": 1]]], .subagent("thread_spawn"), false),
            (["custom": "x"], .other("custom"), false),
        ] as [(JSONValue, ThreadSource, Bool)]
    )
    func sources(source: JSONValue, expected: ThreadSource, isInteractive: Bool) throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta(["source": source]), Rollout.user("Hello")])
        let thread = try only(home.codex)
        #expect(thread.source == expected && thread.isInteractive == isInteractive)
    }

    @Test("a first line of 400 kB is read whole")
    func largeMeta() throws {
        let home = try HistoryHome()
        let instructions = String(repeating: "Be careful. ", count: 34_000)
        try home.write(
            Rollout.day + Rollout.name,
            lines: [
                Rollout.meta(["base_instructions": ["text": .string(instructions)]]), Rollout.user("Hello"),
            ]
        )
        #expect(try only(home.codex).workingFolder == "/home/ada/engine")
    }

    @Test("a paginated thread has ordinals")
    func ordinal() throws {
        let home = try HistoryHome()
        let lines = [Rollout.meta(["history_mode": "paginated"]), Rollout.user("Hello")].enumerated().map {
            #"{"ordinal":\#($0.offset),"# + $0.element.dropFirst()
        }
        try home.write(Rollout.day + Rollout.name, lines: lines)
        #expect(try only(home.codex).title == "Hello")
    }

    @Test("what an editor puts before the request is cut away")
    func editorContext() throws {
        let home = try HistoryHome()
        let text = "# Context from my IDE setup:\n\n## Active file: a.swift\n\n## My request for Codex:\nRename it\n"
        try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta(), Rollout.user(text)])
        #expect(try only(home.codex).title == "Rename it")
    }

    @Test(
        "a message of images only, and one without anything, then a goal",
        arguments: [
            (
                [["type": "user_message", "message": "", "images": ["data:image/png;base64,AA=="]]],
                "[Image]"
            ),
            ([["type": "user_message", "message": " ", "local_images": ["/tmp/a.png"]]], "[Image]"),
            (
                [
                    ["type": "user_message", "message": ""],
                    ["type": "thread_goal_updated", "goal": ["objective": "Ship it"]],
                ], "Ship it"
            ),
        ] as [([JSONValue], String)]
    )
    func previews(events: [JSONValue], title: String) throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta()] + events.map { Rollout.event($0) })
        #expect(try only(home.codex).title == title)
    }

    @Test("a first message with an image of 8 MB still gives the title and the times")
    func imageInFirstMessage() throws {
        let home = try HistoryHome()
        let image = "data:image/png;base64," + String(repeating: "iVBORw0K", count: 1 << 20)
        let line =
            #"{"timestamp":"2026-01-02T03:04:06.500Z","type":"event_msg","payload":{"type":"user_message","message":"#
            + #""What is wrong here?","images":["\#(image)"]}}"#
        let path = try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta(), line])
        let thread = try only(home.codex)
        #expect(thread.title == "What is wrong here?")
        #expect(thread.lastMessageMilliseconds == 1_767_323_046_500)
        let page = try home.codex.lastPage(of: path)
        #expect(page.items.map(\.said) == ["What is wrong here?", nil])
        guard case .image(let left)? = page.items.last?.content else {
            Issue.record("the image is missing")
            return
        }
        #expect(left.mediaType == "image/png")
        #expect(abs((left.byteCount ?? 0) - (6 << 20)) < 64 << 10)
        #expect(page.skipped.count == 1 && page.skipped.lines.first?.reason == .tooLong)
        #expect(page.skipped.bytes == Int64(line.utf8.count))
    }

    @Test("without a message of a person, or without the first record, a file is no thread")
    func notListed() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + "rollout-2026-01-02T05-04-05-a.jsonl", lines: [Rollout.meta()])
        try home.write(Rollout.day + "rollout-2026-01-02T05-04-05-b.jsonl", lines: [Rollout.user("Hello")])
        try home.write(Rollout.day + "rollout-2026-01-02T05-04-05-c.jsonl", [])
        try home.write(
            Rollout.day + "rollout-2026-01-02T05-04-05-d.jsonl",
            lines: [#"{"type":"thread.started","thread_id":"x"}"#]
        )
        // What was typed anywhere, and the mark of the program that compresses.
        try home.write(
            ".codex/history.jsonl",
            lines: [json(["session_id": .string(Rollout.id), "ts": 1, "text": "Hello"])]
        )
        try home.write(".codex/.tmp/rollout-compression.lock", [])
        #expect(home.codex.threads() == ThreadListing())
    }

    @Test("a message of a person is looked for in 210 records, as codex does", arguments: [(208, true), (210, false)])
    func bounds(other: Int, isListed: Bool) throws {
        let home = try HistoryHome()
        let noise = (0..<other).map { _ in Rollout.event(["type": "token_count"]) }
        try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta()] + noise + [Rollout.user("Late")])
        #expect(home.codex.threads().threads.count == (isListed ? 1 : 0))
    }

    @Test("without a time in the first record the name's local time counts, and without that the record's own")
    func created() throws {
        let home = try HistoryHome()
        let bare = json(["id": .string(Rollout.id), "instructions": "x"])
        let message = json(["type": "message", "role": "user", "content": [["type": "input_text", "text": "Hello"]]])
        try home.write(Rollout.day + Rollout.name, lines: [bare, message])
        // 05:04:05 in a zone two hours east of Greenwich.
        #expect(try only(home.codex).createdMilliseconds == 1_767_323_045_000)
    }

    @Test("an id that is missing is taken from the right end of the name")
    func idFromName() throws {
        let home = try HistoryHome()
        let meta = Rollout.line("session_meta", ["timestamp": "2026-01-02T03:04:05.250Z", "cwd": "/"])
        try home.write(Rollout.day + Rollout.name, lines: [meta, Rollout.user("Hello")])
        #expect(try only(home.codex).id == Rollout.id)
    }

    @Test("the bare records of summer 2025")
    func legacy() throws {
        let home = try HistoryHome()
        let path = try home.write(
            ".codex/sessions/rollout-2025-06-20-\(Rollout.id).jsonl",
            lines: [
                json([
                    "id": .string(Rollout.id), "timestamp": "2025-06-20T10:11:12.000Z", "instructions": "Be brief",
                    "git": ["branch": "legacy"],
                ]),
                json(["record_type": "state"]),
                json([
                    "type": "message", "role": "user",
                    "content": [["type": "input_text", "text": "<user_instructions>x"]],
                ]),
                json(["type": "message", "role": "user", "content": [["type": "input_text", "text": "Old question"]]]),
                json(["type": "reasoning", "id": "r", "summary": [["type": "summary_text", "text": "Thinking"]]]),
                json(["type": "function_call", "name": "shell", "arguments": "{\"command\":[\"ls\"]}", "call_id": "c1"]
                ),
                json([
                    "type": "function_call_output", "call_id": "c1",
                    "output": "{\"output\":\"a\\n\",\"metadata\":{\"exit_code\":2}}",
                ]),
                json([
                    "type": "message", "role": "assistant", "content": [["type": "output_text", "text": "Old answer"]],
                ]),
            ]
        )
        let thread = try only(home.codex)
        #expect(thread.id == Rollout.id && thread.title == "Old question" && thread.gitBranch == "legacy")
        #expect(thread.createdMilliseconds == 1_750_414_272_000 && thread.lastMessageMilliseconds == 1_750_414_272_000)
        #expect(thread.isInteractive)
        let items = try home.codex.lastPage(of: path).items
        #expect(items.map(\.said) == ["Old question", "Thinking", "shell", "a\n", "Old answer"])
        #expect(items.allSatisfy { $0.milliseconds == nil })
        guard case .toolOutput(let output) = items[3].content else {
            Issue.record("no output")
            return
        }
        #expect(output.outcome == .failed(code: 2) && output.callID == "c1")
    }

    @Test("the TypeScript program's object of a session")
    func typeScript() throws {
        let home = try HistoryHome()
        let items: [JSONValue] = [
            ["type": "message", "role": "user", "content": [["type": "input_text", "text": "First words"]]],
            ["type": "message", "role": "assistant", "content": [["type": "output_text", "text": "Answer"]]],
            ["type": "message", "role": "user", "content": [["type": "input_text", "text": "More"]]],
        ]
        let object: JSONValue = [
            "session": ["id": "ts-session", "timestamp": "2025-05-01T08:00:00.000Z", "instructions": ""],
            "items": .array(items),
        ]
        let path = try home.write(".codex/sessions/rollout-2025-05-01-ts.json", Array(json(object).utf8))
        let thread = try only(home.codex)
        #expect(thread.id == "ts-session" && thread.title == "First words")
        #expect(thread.createdMilliseconds == 1_746_086_400_000 && thread.lastMessageMilliseconds == nil)
        #expect(try home.codex.allBackwards(path, page: 2).map(\.said) == ["First words", "Answer", "More"])
        #expect(try home.codex.allForwards(path, page: 1).map(\.said) == ["First words", "Answer", "More"])
    }

    @Test("a larger object than is read at once is a problem of the list, not of the others")
    func largeObject() throws {
        let home = try HistoryHome()
        let path = try home.write(".codex/sessions/rollout-2025-05-01-ts.json", [])
        try #require(truncate(path, 17 << 20) == 0)
        try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta(), Rollout.user("Hello")])
        let listing = home.codex.threads()
        #expect(listing.problems == [.tooLarge(path: path, limit: 16 << 20)])
        #expect(Set(listing.threads.map(\.title)) == ["Hello", "[Too large to be read]"])
    }

    @Test("the newest come first by their date, and only as many as asked for")
    func order() throws {
        let home = try HistoryHome()
        for number in [3, 1, 4, 2, 5] {
            try home.write(
                ".codex/sessions/2026/01/0\(6 - number)/rollout-\(number).jsonl",
                lines: [Rollout.meta(id: "t\(number)"), Rollout.user("Hello")],
                modified: 1_790_000_000_000 + Int64(number)
            )
        }
        #expect(home.codex.threads().threads.map(\.id) == ["t5", "t4", "t3", "t2", "t1"])
        let listing = home.codex.threads(limit: 2)
        #expect(listing.threads.map(\.id) == ["t5", "t4"] && listing.isCut)
    }

    @Test("of two files of one thread the newer counts")
    func twoFiles() throws {
        let home = try HistoryHome()
        try home.write(".codex/sessions/rollout-a.jsonl", lines: [Rollout.meta(), Rollout.user("Old")], modified: 1000)
        try home.write(".codex/sessions/rollout-b.jsonl", lines: [Rollout.meta(), Rollout.user("New")], modified: 2000)
        #expect(try only(home.codex).title == "New")
    }

    @Test("links to folders are followed once, loops end, and links to files are left out")
    func links() throws {
        let home = try HistoryHome()
        try home.write("disk/01/" + Rollout.name, lines: [Rollout.meta(), Rollout.user("Linked")])
        try home.write(".codex/sessions/2025/keep", [])
        try home.link(".codex/sessions/2026", to: home.path + "/disk")
        try home.link(".codex/sessions/again", to: home.path + "/disk")
        try home.link(".codex/sessions/2025/loop", to: home.path + "/.codex/sessions")
        try home.link(".codex/sessions/2025/self", to: "self")
        try home.link(".codex/sessions/rollout-link.jsonl", to: home.path + "/disk/01/" + Rollout.name)
        #expect(try only(home.codex).title == "Linked")
    }

    @Test("FIFOs and folders with the name of a rollout are left out")
    func notFiles() throws {
        let home = try HistoryHome()
        try home.write(".codex/sessions/rollout-a.jsonl/keep", [])
        try #require(mkfifo(home.path + "/.codex/sessions/rollout-b.jsonl", 0o600) == 0)
        #expect(home.codex.threads() == ThreadListing())
    }

    @Test("a folder that may not be read is a problem of the list, not of the others")
    func unreadable() throws {
        let home = try HistoryHome()
        try home.write(".codex/sessions/2026/01/" + Rollout.name, lines: [Rollout.meta(), Rollout.user("Hello")])
        try home.write(".codex/sessions/2025/rollout-x.jsonl", lines: [Rollout.meta(id: "x"), Rollout.user("No")])
        let folder = home.path + "/.codex/sessions/2025"
        try #require(chmod(folder, 0) == 0)
        defer { chmod(folder, 0o700) }
        let listing = asOrdinaryUser(of: home.path) { home.codex.threads() }
        #expect(listing.threads.map(\.title) == ["Hello"])
        #expect(listing.problems == [.denied(path: folder)])
    }

    @Test("a home without any history lists nothing and has no problems")
    func empty() throws {
        let home = try HistoryHome()
        #expect(home.codex.threads() == ThreadListing())
        #expect(CodexHistory(environment: ["HOME": "relative"]).threads() == ThreadListing())
        #expect(ClaudeHistory(environment: ["HOME": "relative"]).threads() == ThreadListing())
    }

    @Test("titles have no secrets and at most 120 characters")
    func titles() throws {
        let home = try HistoryHome()
        let key = "sk-" + "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"
        try home.write(
            Rollout.day + Rollout.name,
            lines: [
                Rollout.meta(), Rollout.user("Use \(key) " + String(repeating: "long ", count: 100)),
            ]
        )
        let title = try only(home.codex).title
        #expect(title.hasPrefix("Use [secret left out] long"))
        #expect(title.count == 120 && title.hasSuffix("…"))
    }
}

/// Root reads every folder. The permissions of one thread's file accesses are those of another user for a moment.
private func asOrdinaryUser<Result>(of path: String, _ work: () -> Result) -> Result {
    guard geteuid() == 0 else { return work() }
    for folder in FileManager.default.enumerator(atPath: path)?.allObjects ?? [] {
        if let name = folder as? String { lchown(path + "/" + name, 65_534, 65_534) }
    }
    lchown(path, 65_534, 65_534)
    _ = setFileUser(65_534)
    defer { _ = setFileUser(0) }
    return work()
}

@_silgen_name("setfsuid") private func setFileUser(_ user: UInt32) -> Int32
