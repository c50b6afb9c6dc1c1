import AgentHistory
import Conversations
import Foundation
import Kernel
import Testing

@Suite("Claude Code: what a list says about a thread") struct ClaudeListTests {
    private static let start: Int64 = 1_770_091_505_000

    private func only(_ home: HistoryHome) throws -> AgentThread {
        let listing = home.claude.threads()
        #expect(listing.problems.isEmpty)
        #expect(listing.threads.count == 1)
        return try #require(listing.threads.first)
    }

    private func title(_ lines: [String]) throws -> String {
        let home = try HistoryHome()
        try home.write(Session.folder + Session.id + ".jsonl", lines: lines)
        return try only(home).title
    }

    @Test("a session: id of its file, folder of a line, times of its records")
    func session() throws {
        let home = try HistoryHome()
        let path = try home.write(
            Session.folder + Session.id + ".jsonl",
            lines: [
                json(["type": "file-history-snapshot", "messageId": "x"]),
                Session.user("u1", after: nil, "Fix the build"),
                Session.agent("a1", after: "u1", "Done", second: 9),
                json(["type": "last-prompt", "lastPrompt": "Fix"]),
            ]
        )
        let size = try Data(contentsOf: URL(filePath: path)).count
        #expect(
            try only(home)
                == AgentThread(
                    agent: .claudeCode,
                    id: Session.id,
                    title: "Fix the build",
                    workingFolder: "/home/ada/engine",
                    gitBranch: "main",
                    modelProvider: nil,
                    version: "2.1.0",
                    source: nil,
                    parentID: nil,
                    createdMilliseconds: Self.start,
                    updatedMilliseconds: 1_790_000_000_123,
                    lastMessageMilliseconds: Self.start + 4000,
                    isInteractive: true,
                    isArchived: false,
                    path: path,
                    size: Int64(size)
                )
        )
    }

    @Test("CLAUDE_CONFIG_DIR replaces the folder in the home")
    func configuration() throws {
        let home = try HistoryHome()
        try home.write("other/projects/-x/a.jsonl", lines: [Session.user("u", after: nil, "Here")])
        let history = ClaudeHistory(environment: ["HOME": home.path, "CLAUDE_CONFIG_DIR": home.path + "/other"])
        #expect(history.threads().threads.map(\.title) == ["Here"])
        #expect(history.folders == [home.path + "/other/projects"])
    }

    @Test(
        "a thread without a branch has none: Claude Code writes HEAD",
        arguments: [["HEAD"], ["main", "HEAD"], ["HEAD", "main"]]
    )
    func branch(told: [String]) throws {
        let home = try HistoryHome()
        let lines = told.enumerated().map { index, branch in
            Session.line(
                "user",
                "u\(index)",
                after: index == 0 ? nil : "u\(index - 1)",
                "Go",
                ["gitBranch": .string(branch)]
            )
        }
        try home.write(Session.folder + Session.id + ".jsonl", lines: lines)
        #expect(try only(home).gitBranch == (told.last == "main" ? "main" : nil))
    }

    @Test("titles in their order: the person's, the generated one, the summary, the first text")
    func titles() throws {
        let first = Session.user("u", after: nil, "First text")
        let summary = json(["type": "summary", "summary": "Summary", "leafUuid": "u"])
        let generated = json(["type": "ai-title", "aiTitle": "Generated"])
        let custom = json(["type": "custom-title", "customTitle": "Custom"])
        #expect(try title([first]) == "First text")
        #expect(try title([summary, first]) == "Summary")
        #expect(try title([first, generated, summary]) == "Generated")
        #expect(try title([custom, first, generated, summary]) == "Custom")
        #expect(try title([custom, first, json(["type": "custom-title", "customTitle": "Renamed"])]) == "Renamed")
    }

    @Test("a session that begins with a picture is listed, also where the words behind it are out of reach")
    func picture() throws {
        // In the order in which Claude Code writes the members.
        func shown(_ size: Int, _ words: String?) -> String {
            let picture =
                #"{"type":"image","source":{"type":"base64","media_type":"image/png","data":""#
                + String(repeating: "A", count: size) + #""}}"#
            let text = words.map { #",{"type":"text","text":"\#($0)"}"# } ?? ""
            return #"{"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":["#
                + picture + text + #"]},"uuid":"u","timestamp":"2026-02-03T04:05:05.000Z"}"#
        }
        #expect(try title([shown(100, nil), Session.agent("a", after: "u", "Nice")]) == "[Image]")
        #expect(try title([shown(100, "What is it?")]) == "What is it?")
        #expect(try title([shown(2 << 20, "What is it?"), Session.agent("a", after: "u", "Nice")]) == "[Image]")
        #expect(try title([shown(100, nil), Session.user("v", after: "u", "And this?")]) == "And this?")
    }

    @Test("a summary of another session is no title")
    func foreignSummary() throws {
        let foreign = json(["type": "summary", "summary": "Other session", "leafUuid": "elsewhere"])
        #expect(try title([foreign, Session.user("u", after: nil, "Mine")]) == "Mine")
    }

    @Test("a title far behind the beginning of a long session is found at its end")
    func lateTitle() throws {
        let many = (0..<1500).map { Session.agent("a\($0)", after: $0 == 0 ? "u" : "a\($0 - 1)", "Answer") }
        let late = json(["type": "custom-title", "customTitle": "Late"])
        #expect(try title([Session.user("u", after: nil, "First")] + many + [late]) == "Late")
    }

    @Test("texts of the program are no first text")
    func programTexts() throws {
        #expect(
            try title([
                Session.line("user", "m", after: nil, "Meta text", ["isMeta": true]),
                Session.user("c", after: "m", "<command-name>/model</command-name><command-args>opus</command-args>"),
                Session.user("o", after: "c", "<local-command-stdout>Set model</local-command-stdout>"),
                Session.user("v", after: "o", "Caveat: the messages below were generated by the user"),
                Session.result("r", after: "v", "t"), Session.user("i", after: "r", "[Request interrupted by user]"),
                Session.line("user", "s", after: "i", "Long summary", ["isCompactSummary": true]),
                Session.line("user", "x", after: "s", "Side", ["isSidechain": true]),
                Session.line(
                    "user",
                    "p",
                    after: "s",
                    [
                        ["type": "text", "text": "<ide_opened_file>a</ide_opened_file>"],
                        ["type": "text", "text": "Real question"],
                    ]
                ),
            ]) == "Real question"
        )
        #expect(try title([Session.user("c", after: nil, "<command-name>/init</command-name>")]) == "/init")
    }

    @Test("sub-agents are no threads and are found by theirs")
    func subagents() throws {
        let home = try HistoryHome()
        try home.write(Session.folder + Session.id + ".jsonl", lines: [Session.user("u", after: nil, "Main")])
        let side = [
            Session.line("user", "s", after: nil, "Look around", ["isSidechain": true]),
            Session.line("assistant", "t", after: "s", [["type": "text", "text": "Seen"]], ["isSidechain": true]),
        ]
        let path = try home.write(Session.folder + Session.id + "/subagents/agent-a1.jsonl", lines: side)
        let old = try home.write(Session.folder + "agent-old.jsonl", lines: side, modified: 1000)
        try home.write(
            Session.folder + "agent-other.jsonl",
            lines: [json(["sessionId": "other", "isSidechain": true])]
        )
        // Old versions wrote them as sessions, too.
        try home.write(Session.folder + "11111111-1111-4111-8111-111111111111.jsonl", lines: side)
        let thread = try only(home)
        #expect(thread.title == "Main")
        #expect(home.claude.subagents(of: thread).entries.map(\.path) == [path, old])
        #expect(try home.claude.lastPage(of: path).items.map(\.said) == ["Look around", "Seen"])
    }

    @Test("a file without a message, and an empty one, are no threads")
    func notListed() throws {
        let home = try HistoryHome()
        try home.write(Session.folder + "a.jsonl", lines: [json(["type": "summary", "summary": "x", "leafUuid": "y"])])
        try home.write(Session.folder + "b.jsonl", [])
        try home.write(Session.folder + "openagents/c.jsonl", lines: [Session.user("u", after: nil, "Main")])
        #expect(home.claude.threads() == ThreadListing())
    }

    @Test(
        "sessions that programs started are not interactive",
        arguments: [("cli", true), ("sdk-ts", false), ("claude-vscode", true)]
    )
    func entryPoints(word: String, isInteractive: Bool) throws {
        let home = try HistoryHome()
        try home.write(
            Session.folder + "a.jsonl",
            lines: [Session.line("user", "u", after: nil, "x", ["entrypoint": .string(word)])]
        )
        #expect(try only(home).isInteractive == isInteractive)
    }
}

@Suite("Claude Code: the items of a thread") struct ClaudeItemTests {
    private func check(_ lines: [String], _ expected: [String?], pages: [Int] = [1, 2, 3, 100]) throws {
        let home = try HistoryHome()
        let path = try home.write(Session.folder + Session.id + ".jsonl", lines: lines)
        for page in pages {
            #expect(try home.claude.allBackwards(path, page: page).map(\.said) == expected, "backwards by \(page)")
        }
        #expect(try home.claude.allForwards(path).map(\.said) == expected)
    }

    @Test("records of a person and the model in order, with their ids and times")
    func order() throws {
        let home = try HistoryHome()
        let path = try home.write(
            Session.folder + "a.jsonl",
            lines: [
                Session.user("u1", after: nil, "One"), Session.agent("a1", after: "u1", "Two"),
                Session.user("u2", after: "a1", "Three", second: 8),
            ]
        )
        let page = try home.claude.lastPage(of: path)
        #expect(page.items.map(\.id) == ["u1", "a1", "u2"])
        #expect(page.items.map(\.milliseconds) == [5, 6, 8].map { 1_770_091_500_000 + $0 * 1000 })
        #expect(page.older == nil && page.reachesEnd && page.newer.link == "u2")
    }

    private static func queued(_ id: String, after parent: String, _ text: String, _ more: [String: JSONValue] = [:])
        -> String
    {
        let attachment: [String: JSONValue] = [
            "type": "queued_command", "prompt": .string(text), "commandMode": "prompt", "origin": ["kind": "human"],
        ]
        return json([
            "type": "attachment", "uuid": .string(id), "parentUuid": .string(parent), "sessionId": .string(Session.id),
            "isSidechain": false, "attachment": .object(attachment.merging(more) { _, new in new }),
        ])
    }

    private static func absorbed(_ text: String) -> String {
        json([
            "type": "queue-operation", "operation": "remove", "sessionId": .string(Session.id),
            "content": .string(text),
            "reason": "absorbed_mid_turn",
        ])
    }

    @Test("a prompt that a running turn took in is the person's message, once", arguments: [false, true])
    func queuedPrompt(hasAttachment: Bool) throws {
        let lines =
            [
                Session.user("u1", after: nil, "One"), Session.call("a1", after: "u1", "t1", messageID: "m1"),
                Session.result("r1", after: "a1", "t1"), Self.absorbed("And two"),
            ] + (hasAttachment ? [Self.queued("q1", after: "r1", "And two")] : [])
            + [Session.agent("a2", after: hasAttachment ? "q1" : "r1", "Both done")]
        try check(lines, ["One", "Bash", "out", "And two", "Both done"], pages: [100])
    }

    @Test("a queued prompt that is a block with a picture, and one that is no person's")
    func queuedKinds() throws {
        let home = try HistoryHome()
        let blocks: JSONValue = [
            ["type": "text", "text": "See this"], ["type": "image", "source": ["type": "url", "url": "x"]],
        ]
        let path = try home.write(
            Session.folder + Session.id + ".jsonl",
            lines: [
                Session.user("u1", after: nil, "One"), Self.queued("q1", after: "u1", "", ["prompt": blocks]),
                Self.queued(
                    "q2",
                    after: "q1",
                    "<task-notification><task-id>b1</task-id><summary>The build ended</summary></task-notification>",
                    ["commandMode": "task-notification", "origin": ["kind": "task-notification"]]
                ), Session.agent("a1", after: "q2", "Seen"),
            ]
        )
        let contents = try home.claude.lastPage(of: path).items.map(\.content)
        #expect(contents.count == 5)
        #expect(contents[1] == .userMessage(ItemText("See this")))
        #expect(contents[3] == .notice(Notice(kind: .other("task-notification"), text: ItemText("The build ended"))))
    }

    @Test("what another session wrote into the file is not its conversation, nor its title")
    func otherSession() throws {
        let other: [String: JSONValue] = ["sessionId": "d0000000-0000-4000-8000-000000000003"]
        let lines = [
            Session.user("u1", after: nil, "Mine"), Session.agent("a1", after: "u1", "My answer"),
            Session.line("user", "x1", after: nil, "Stray question", other),
            Session.line(
                "assistant",
                "x2",
                after: "x1",
                [["type": "text", "text": "Stray answer"]],
                messageID: "mx",
                other
            ),
        ]
        try check(lines, ["Mine", "My answer"])
        // A copy of an earlier session, which holds no record of its own, is shown whole.
        let home = try HistoryHome()
        let path = try home.write(
            Session.folder + "0a000000-0000-4000-8000-000000000001.jsonl",
            lines: Array(lines.prefix(2))
        )
        #expect(try home.claude.lastPage(of: path).items.map(\.said) == ["Mine", "My answer"])
    }

    @Test("what others say in the person's name is a notice with its sender, and no title")
    func senders() throws {
        let home = try HistoryHome()
        func said(_ id: String, after parent: String?, _ text: String, _ more: [String: JSONValue]) -> String {
            Session.line("user", id, after: parent, .string(text), more)
        }
        let path = try home.write(
            Session.folder + Session.id + ".jsonl",
            lines: [
                said(
                    "u1",
                    after: nil,
                    "<teammate-message teammate_id=\"lead\">\nFrom a teammate\n</teammate-message>",
                    ["origin": ["kind": "teammate"]]
                ),
                said("u2", after: "u1", "The person speaks", ["origin": ["kind": "human"], "promptSource": "typed"]),
                said(
                    "u3",
                    after: "u2",
                    "[SYSTEM NOTIFICATION - NOT USER INPUT]\n<task-notification><task-id>b1</task-id></task-notification>",
                    ["origin": ["kind": "task-notification"], "promptSource": "system"]
                ),
                said(
                    "u4",
                    after: "u3",
                    "<cross-session-message from=\"abc\">From another session</cross-session-message>",
                    ["origin": ["kind": "peer"]]
                ), said("u5", after: "u4", "Go on by yourself", ["isSynthetic": true]),
                said("u6", after: "u5", "From a program", ["promptSource": "sdk"]),
            ]
        )
        func notice(_ kind: String, _ text: String) -> ConversationItem.Content {
            .notice(Notice(kind: .other(kind), text: ItemText(text)))
        }
        #expect(
            try home.claude.lastPage(of: path).items.map(\.content) == [
                notice("teammate", "lead: From a teammate"), .userMessage(ItemText("The person speaks")),
                notice("task-notification", "b1"), notice("peer", "abc: From another session"),
                notice("synthetic", "Go on by yourself"), .userMessage(ItemText("From a program")),
            ]
        )
        #expect(home.claude.threads().threads.map(\.title) == ["The person speaks"])
    }

    @Test("results of every kind of block show their words, else their kind")
    func resultBlocks() throws {
        let home = try HistoryHome()
        let blocks: [(JSONValue, String)] = [
            (["type": "tool_reference", "tool_name": "WebFetch"], "[tool_reference: WebFetch]"),
            (
                [
                    "type": "document",
                    "source": ["type": "text", "media_type": "text/plain", "data": "Words of a document"],
                ],
                "Words of a document"
            ),
            (
                [
                    "type": "search_result", "title": "A title", "source": "https://example.org",
                    "content": [["type": "text", "text": "Words that were found"]],
                ], "A title\nWords that were found"
            ),
            (
                ["type": "resource", "resource": ["uri": "file:///a", "text": "Words of a resource"]],
                "Words of a resource"
            ),
            (["type": "document", "source": ["type": "base64", "data": "AAAA"]], "[document]"),
            (["type": "resource_link", "uri": "file:///b"], "[resource_link: file:///b]"),
            (["type": "brand_new"], "[brand_new]"),
        ]
        let content = blocks.map { block -> JSONValue in
            ["type": "tool_result", "tool_use_id": "t", "content": .array([block.0])]
        }
        let path = try home.write(
            Session.folder + Session.id + ".jsonl",
            lines: [
                Session.user("u1", after: nil, "One"), Session.call("a1", after: "u1", "t", messageID: "m"),
                Session.line("user", "r1", after: "a1", .array(content)),
            ]
        )
        let outputs = try home.claude.lastPage(of: path).items.compactMap { item -> String? in
            if case .toolOutput(let output) = item.content { output.text.text } else { nil }
        }
        #expect(outputs == blocks.map(\.1))
    }

    @Test("going back leaves what was said before: the path to the newest record is shown")
    func rewind() throws {
        try check(
            [
                Session.user("u1", after: nil, "One"), Session.agent("a1", after: "u1", "Two"),
                Session.user("u2", after: "a1", "Left"), Session.agent("a2", after: "u2", "Left too"),
                Session.user("u3", after: "a1", "Three"), Session.agent("a3", after: "u3", "Four"),
            ],
            ["One", "Two", "Three", "Four"]
        )
    }

    @Test("going back to the first prompt begins the conversation anew")
    func rewindToStart() throws {
        try check(
            [
                Session.user("u1", after: nil, "Left"), Session.agent("a1", after: "u1", "Left too"),
                Session.user("u2", after: nil, "One"), Session.agent("a2", after: "u2", "Two"),
            ],
            ["One", "Two"]
        )
    }

    @Test("a follower is told when a person went back, and not when tools answer side by side")
    func replaces() throws {
        let home = try HistoryHome()
        let name = Session.folder + Session.id + ".jsonl"
        var lines = [
            Session.user("u1", after: nil, "One"), Session.call("b1", after: "u1", "t1", messageID: "m"),
            Session.call("b2", after: "b1", "t2", messageID: "m"),
        ]
        let path = try home.write(name, lines: lines)
        var cursor = try home.claude.lastPage(of: path).newer
        func follow(_ more: [String]) throws -> ConversationPage {
            lines += more
            try home.write(name, lines: lines)
            let page = try home.claude.page(of: path, from: cursor, limits: PageLimits())
            cursor = page.newer
            return page
        }
        let results = try follow([Session.result("r1", after: "b1", "t1"), Session.result("r2", after: "b2", "t2")])
        #expect(results.items.map(\.id) == ["r1", "r2"] && !results.replacesEarlier)
        #expect(try !follow([Session.agent("a1", after: "r2", "Two")]).replacesEarlier)
        let notice = try follow([
            Session.line("system", "s1", after: "a1", "", ["subtype": "informational", "content": "Note"])
        ])
        #expect(notice.items.map(\.said) == ["Note"] && !notice.replacesEarlier)
        #expect(try !follow([Session.user("u2", after: "s1", "Three")]).replacesEarlier)
        #expect(try !follow([Session.user("u3", after: "u2", "Four")]).replacesEarlier)
        #expect(try follow([Session.user("u4", after: "a1", "Instead")]).replacesEarlier)
        #expect(try follow([Session.user("u5", after: nil, "Anew")]).replacesEarlier)
        #expect(try home.claude.lastPage(of: path).items.map(\.said) == ["Anew"])
    }

    @Test("an answer in several records is one message, and its tools match their results")
    func splitMessages() throws {
        let lines = [
            Session.user("u1", after: nil, "One"),
            Session.line("assistant", "a1", after: "u1", [["type": "thinking", "thinking": "Hm"]], messageID: "m1"),
            Session.agent("a2", after: "a1", "First part", messageID: "m1"),
            Session.agent("a3", after: "a2", "Second part", messageID: "m1"),
            Session.call("a4", after: "a3", "t1", messageID: "m1"),
            Session.result("r1", after: "a4", "t1", failed: true),
            Session.agent("a5", after: "r1", "Third", messageID: "m2"),
        ]
        try check(lines, ["One", "Hm", "First part\n\nSecond part", "Bash", "out", "Third"])
        let home = try HistoryHome()
        let items = try home.claude.lastPage(of: home.write(Session.folder + "a.jsonl", lines: lines)).items
        #expect(items.map(\.messageID) == [nil, "m1", "m1", "m1", nil, "m2"])
        #expect(
            items[3].content
                == .toolCall(ToolCall(callID: "t1", name: "Bash", arguments: ItemText("{\"command\":\"ls\"}")))
        )
        #expect(
            items[4].content
                == .toolOutput(ToolOutput(callID: "t1", text: ItemText("out"), outcome: .failed(code: nil)))
        )
    }

    @Test("tools that ran side by side keep all their results, also those that are not on the path")
    func parallelTools() throws {
        try check(
            [
                Session.user("u1", after: nil, "One"), Session.call("b1", after: "u1", "t1", messageID: "m"),
                Session.call("b2", after: "b1", "t2", messageID: "m"),
                Session.call("b3", after: "b2", "t3", messageID: "m"),
                Session.result("r1", after: "b1", "t1"), Session.result("r2", after: "b2", "t2"),
                Session.result("r3", after: "b3", "t3"),
                Session.agent("a1", after: "r2", "Two"),
            ],
            ["One", "Bash", "Bash", "Bash", "out", "out", "out", "Two"]
        )
    }

    @Test("a record that was copied comes once")
    func copies() throws {
        let lines = [Session.user("u1", after: nil, "One"), Session.agent("a1", after: "u1", "Two")]
        try check(lines + lines + [Session.user("u2", after: "a1", "Three")], ["One", "Two", "Three"])
    }

    @Test("a compaction joins what is before and after it")
    func compaction() throws {
        try check(
            [
                Session.user("u1", after: nil, "One"), Session.agent("a1", after: "u1", "Two"),
                Session.line(
                    "system",
                    "s1",
                    after: nil,
                    "",
                    ["subtype": "compact_boundary", "logicalParentUuid": "a1"]
                ),
                Session.line("user", "c1", after: "s1", "Summary", ["isCompactSummary": true]),
                Session.agent("a2", after: "c1", "Three"),
            ],
            ["One", "Two", "Summary", "Three"]
        )
        // The boundary names a record that is not in the file, or none.
        for logical in [JSONValue.string("elsewhere"), .null] {
            try check(
                [
                    Session.user("u1", after: nil, "One"),
                    Session.line(
                        "system",
                        "s1",
                        after: nil,
                        "",
                        ["subtype": "compact_boundary", "logicalParentUuid": logical]
                    ),
                    Session.line("user", "c1", after: "s1", "Summary", ["isCompactSummary": true]),
                ],
                ["One", "Summary"]
            )
        }
    }

    @Test("sidechains in the file of a session are left out")
    func sidechains() throws {
        try check(
            [
                Session.user("u1", after: nil, "One"),
                Session.line("user", "x1", after: nil, "Side", ["isSidechain": true]),
                Session.agent("a1", after: "u1", "Two"),
                Session.line(
                    "assistant",
                    "x2",
                    after: "x1",
                    [["type": "text", "text": "Side"]],
                    ["isSidechain": true]
                ),
            ],
            ["One", "Two"]
        )
    }

    @Test("a damaged line does not hide what is before it")
    func damagedParent() throws {
        let lines = (0..<200).map { number in
            number % 2 == 0
                ? Session.user("n\(number)", after: number == 0 ? nil : "n\(number - 1)", "\(number)")
                : Session.agent("n\(number)", after: "n\(number - 1)", "\(number)")
        }
        for broken in [0, 1, 50, 198, 199] {
            var damaged = lines
            damaged[broken] = String(lines[broken].dropLast(5))
            let expected = (0..<200).filter { $0 != broken }.map { Optional("\($0)") }
            try check(damaged, expected, pages: [7, 100])
        }
    }

    @Test("beside a damaged line what was left by going back stays left")
    func damagedBeside() throws {
        try check(
            [
                Session.user("u1", after: nil, "One"), Session.agent("a1", after: "u1", "Two"),
                Session.user("u2", after: "a1", "Left"), "{damaged", Session.agent("a2", after: "lost", "Left too"),
                Session.user("u3", after: "a1", "Three"),
            ],
            ["One", "Two", "Three"]
        )
    }

    @Test("a session that was resumed from another file begins with its own records")
    func resumed() throws {
        try check(
            [
                Session.user("u1", after: "elsewhere", "One"), Session.agent("a1", after: "u1", "Two"),
                Session.user("u2", after: "a1", "Three"),
            ],
            ["One", "Two", "Three"]
        )
        try check(
            [
                Session.user("u1", after: "elsewhere", "Left"), Session.agent("a1", after: "u1", "Left too"),
                Session.user("u2", after: "elsewhere", "One"),
            ],
            ["One"]
        )
    }

    @Test("a record with an image of 8 MB keeps its place, its text and its id")
    func image() throws {
        let home = try HistoryHome()
        let head = #"{"parentUuid":"a1","isSidechain":false,"type":"user","message":{"role":"user","content":["#
        let data = String(repeating: "iVBORw0K", count: 1 << 20)
        let long =
            head
            + #"{"type":"text","text":"Look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":""#
            + data + #""}}]},"uuid":"u2","timestamp":"2026-02-03T04:05:07.000Z","cwd":"/home/ada","sessionId":"s"}"#
        let path = try home.write(
            Session.folder + Session.id + ".jsonl",
            lines: [
                Session.user("u1", after: nil, "One"), Session.agent("a1", after: "u1", "Two"), long,
                Session.agent("a2", after: "u2", "Three"),
            ]
        )
        for page in [
            try home.claude.lastPage(of: path), try home.claude.page(of: path, from: .start, limits: PageLimits()),
        ] {
            #expect(page.items.map(\.id) == ["u1", "a1", "u2", "u2.1", "a2"])
            #expect(page.items.map(\.said) == ["One", "Two", "Look", nil, "Three"])
            #expect(page.items[2].milliseconds == 1_770_091_507_000)
            #expect(page.skipped.lines.map(\.reason) == [.tooLong])
        }
    }

    @Test("changes of files, plans, commands, errors and what is not known")
    func contents() throws {
        let home = try HistoryHome()
        func call(_ name: String, _ input: JSONValue) -> JSONValue {
            ["type": "tool_use", "id": .string(name), "name": .string(name), "input": input]
        }
        let path = try home.write(
            Session.folder + "a.jsonl",
            lines: [
                Session.line(
                    "assistant",
                    "a",
                    after: nil,
                    [
                        call("Write", ["file_path": "/a", "content": "x\ny\n"]),
                        call("Edit", ["file_path": "/b", "old_string": "old", "new_string": "new"]),
                        call("MultiEdit", ["file_path": "/c", "edits": [["old_string": "1", "new_string": "2"]]]),
                        call("TodoWrite", ["todos": [["content": "Do", "status": "in_progress"]]]),
                        ["type": "redacted_thinking", "data": "x"], ["type": "hologram"],
                    ]
                ),
                Session.user("b", after: "a", "<command-name>/model</command-name><command-args>opus</command-args>"),
                Session.user("c", after: "b", "[Request interrupted by user]"),
                Session.line(
                    "assistant",
                    "d",
                    after: "c",
                    [["type": "text", "text": "API Error"]],
                    ["isApiErrorMessage": true]
                ),
                Session.line(
                    "system",
                    "e",
                    after: "d",
                    "",
                    ["subtype": "api_error", "error": ["message": "Overloaded"]]
                ),
                Session.line("system", "f", after: "e", "", ["subtype": "turn_duration"]),
                Session.line(
                    "user",
                    "g",
                    after: "f",
                    [["type": "image", "source": ["type": "base64", "media_type": "image/png", "data": "AAAA"]]]
                ),
                Session.line("novelty", "h", after: "g", ""), Session.user("i", after: "h", "End"),
            ]
        )
        func change(_ id: String, _ path: String, _ kind: FileChange.Kind, _ patch: String) -> ConversationItem.Content
        {
            .fileChange(
                FileChange(
                    callID: id,
                    files: [.init(path: path, kind: kind)],
                    patch: ItemText(patch),
                    outcome: .unknown
                )
            )
        }
        let page = try home.claude.lastPage(of: path)
        #expect(
            page.items.map(\.content) == [
                change("Write", "/a", .written, "+x\n+y\n"), change("Edit", "/b", .updated, "-old\n+new\n"),
                change("MultiEdit", "/c", .updated, "-1\n+2\n"),
                .plan(Plan(callID: "TodoWrite", steps: [.init(text: "Do", state: .running)])),
                .unknown(type: "assistant/hologram"), .notice(Notice(kind: .command, text: ItemText("/model opus"))),
                .notice(Notice(kind: .interrupted, text: ItemText("[Request interrupted by user]"))),
                .notice(Notice(kind: .error, text: ItemText("API Error"))),
                .notice(Notice(kind: .error, text: ItemText("Overloaded"))),
                .image(ImageLeftOut(origin: .user, mediaType: "image/png", byteCount: 3)), .unknown(type: "novelty"),
                .userMessage(ItemText("End")),
            ]
        )
        #expect(Set(page.items.map(\.id)).count == page.items.count)
    }

    @Test(
        "records around the conversation are silent",
        arguments: [
            "attachment", "progress", "file-history-snapshot", "queue-operation", "permission-mode", "custom-title",
            "ai-title",
            "last-prompt", "worktree-state", "pr-link", "bridge-session", "summary",
        ]
    )
    func silent(type: String) throws {
        try check(
            [
                Session.user("u1", after: nil, "One"), json(["type": .string(type)]),
                json(["type": .string(type), "uuid": "p", "parentUuid": "u1", "isSidechain": false]),
                Session.agent("a1", after: "p", "Two"),
            ],
            ["One", "Two"]
        )
    }
}

@Suite("Claude Code: names in the middle of long sessions", .timeLimit(.minutes(4))) struct BuriedTitleTests {
    private static func title(_ text: String, _ type: String = "custom-title", _ key: String = "customTitle") -> String
    {
        json(["type": .string(type), "sessionId": .string(Session.id), key: .string(text)])
    }

    private static func lines(_ count: Int, from first: Int = 0) -> [String] {
        (first..<(first + count)).map { Session.agent("a\($0)", after: $0 == 0 ? "q" : "a\($0 - 1)", "step \($0)") }
    }

    @Test("the newest name is found between both ends, also when more is written behind it")
    func found() throws {
        let home = try HistoryHome()
        let history = home.claude
        func title(_ lines: [String]) throws -> String? {
            try home.write(Session.folder + Session.id + ".jsonl", lines: lines)
            let entry = try #require(history.files().entries.first)
            return try history.thread(of: entry, names: [:])?.title
        }
        let begin = [Session.user("q", after: nil, "first words")]
        // Somebody also talks of such records.
        let talk = Session.user("t", after: "a0", #"what does "type":"custom-title" mean?"#)
        var all =
            begin + Self.lines(500) + [Self.title("Made up", "ai-title", "aiTitle"), talk] + Self.lines(500, from: 500)
        #expect(try title(all) == "Made up")
        all += [Self.title("My given name")] + Self.lines(500, from: 1000)
        #expect(try title(all) == "My given name")
        all += [Self.title("Another")] + Self.lines(1000, from: 1500)
        #expect(try title(all) == "Another")
        all += [Self.title("At the end")]
        #expect(try title(all) == "At the end")
    }
}
