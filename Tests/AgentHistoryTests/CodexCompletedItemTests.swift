import Conversations
import Foundation
import Kernel
import Testing

@testable import AgentHistory

@Suite("Codex: messages as completed items, events or the model's items", .timeLimit(.minutes(4)))
struct CodexCompletedItemTests {
    private static func completed(_ type: String, _ more: [String: JSONValue], id: String = "i") -> String {
        let item: [String: JSONValue] = ["type": .string(type), "id": .string(id)]
        return Rollout.event(
            [
                "type": "item_completed", "thread_id": .string(Rollout.id), "turn_id": "t",
                "item": .object(item.merging(more) { $1 }), "started_at_ms": 1, "completed_at_ms": 2,
            ]
        )
    }

    private static func user(_ text: String) -> String {
        completed("UserMessage", ["content": [["type": "text", "text": .string(text), "text_elements": []]]])
    }

    private static func agent(_ text: String) -> String {
        completed("AgentMessage", ["content": [["type": "Text", "text": .string(text)]]])
    }

    private static func model(_ role: String, _ text: String, kinds: [String]? = nil) -> String {
        var item: [String: JSONValue] = [
            "type": "message", "role": .string(role),
            "content": [["type": .string(role == "user" ? "input_text" : "output_text"), "text": .string(text)]],
        ]
        if let kinds {
            item["internal_chat_message_metadata_passthrough"] = [
                "content_item_kinds": .array(kinds.map { .string($0) })
            ]
        }
        return Rollout.item(.object(item))
    }

    private static let begin = [
        Rollout.meta(["history_mode": "paginated"]), Rollout.event(["type": "task_started", "turn_id": "t"]),
        model("user", "<environment_context>\n</environment_context>", kinds: ["environments.environment_context"]),
    ]

    /// A turn as Codex 0.163 writes it, with a command that fails and a patch in it.
    private static let turn =
        begin + [
            model("user", "Count the gears", kinds: ["user.text"]), user("Count the gears"),
            completed("Reasoning", ["summary_text": ["Gears have teeth.", "Twelve each."], "raw_content": []]),
            Rollout.item([
                "type": "reasoning",
                "summary": [
                    ["type": "summary_text", "text": "Gears have teeth."],
                    ["type": "summary_text", "text": "Twelve each."],
                ],
            ]),
            agent("First I look."), model("assistant", "First I look.", kinds: ["unknown"]),
            Rollout.item([
                "type": "function_call", "name": "exec_command", "arguments": #"{"cmd":"ls gears"}"#, "call_id": "c1",
            ]),
            Rollout.line("token_usage_record", ["usage": [:]]),
            completed(
                "CommandExecution",
                [
                    "command": ["/bin/bash", "-lc", "ls gears"], "status": "failed", "exit_code": 2,
                    "aggregated_output": "no such folder\n",
                ],
                id: "c1"
            ),
            Rollout.item([
                "type": "function_call_output", "call_id": "c1",
                "output": "Process exited with code 2\nOutput:\nno such folder",
            ]),
            completed(
                "FileChange",
                ["changes": ["/w/count.txt": ["type": "add", "content": "twelve\n"]], "status": "completed"],
                id: "c2"
            ),
            agent("There are twelve."), model("assistant", "There are twelve.", kinds: ["unknown"]),
            Rollout.event(["type": "thread_settings_applied"]),
            Rollout.event(["type": "task_complete", "turn_id": "t"]),
        ]

    private func items(_ lines: [String], of home: HistoryHome) throws -> [ConversationItem] {
        let path = try home.write(Rollout.day + Rollout.name, lines: lines)
        let items = try home.codex.lastPage(of: path).items
        #expect(try home.codex.page(of: path, from: .start, limits: PageLimits()).items == items)
        return items
    }

    @Test("a thread of today's Codex is listed, and shows each thing once")
    func today() throws {
        let home = try HistoryHome()
        let items = try items(Self.turn, of: home)
        #expect(
            items.map(\.said) == [
                "Count the gears", "Gears have teeth.\n\nTwelve each.", "First I look.", "exec_command",
                "Process exited with code 2\nOutput:\nno such folder", nil,
                "There are twelve.",
            ]
        )
        guard case .toolOutput(let output) = items[4].content, case .fileChange(let change) = items[5].content else {
            Issue.record("no tools")
            return
        }
        #expect(output.outcome == .failed(code: 2))
        #expect(change.outcome == .succeeded && change.files == [FileChange.File(path: "/w/count.txt", kind: .added)])
        #expect(home.codex.threads().threads.map(\.title) == ["Count the gears"])
    }

    @Test("commands that a script of the model runs are shown with their ends")
    func script() throws {
        let items = try items(
            Self.begin + [
                Self.user("Count"),
                Rollout.item([
                    "type": "custom_tool_call", "name": "exec", "call_id": "c1", "input": "await tools.run()",
                ]),
                Self.completed(
                    "CommandExecution",
                    ["command": ["/bin/sh", "-c", "ls gears"], "exit_code": 2, "aggregated_output": "none"],
                    id: "exec-1"
                ),
                Rollout.item([
                    "type": "custom_tool_call_output", "call_id": "c1",
                    "output": [["type": "input_text", "text": "failed"]],
                ]),
            ],
            of: try HistoryHome()
        )
        #expect(items.map(\.said) == ["Count", "exec", "exec_command", "none", "failed"])
        guard case .toolCall(let call) = items[2].content, case .toolOutput(let output) = items[3].content else {
            Issue.record("no command")
            return
        }
        #expect(call.arguments.text == "ls gears" && output.outcome == .failed(code: 2))
    }

    @Test("pages of every size, from both ends and cut anywhere, are the conversation, each thing once")
    func cuts() throws {
        let home = try HistoryHome()
        // A version that writes items and events, and one that writes events.
        let both = [
            Rollout.event(["type": "task_started"]),
            Self.model("user", "Twice"), Self.user("Twice"), Rollout.user("Twice"), Self.agent("Once"),
            Self.model("assistant", "Once"), Rollout.agent("Once"),
        ]
        let events = [
            Rollout.event(["type": "task_started"]),
            Self.model("user", "Twice"), Rollout.user("Twice"), Rollout.agent("Old"), Self.model("assistant", "Old"),
        ]
        let path = try home.write(Rollout.day + Rollout.name, lines: Self.turn + both + events + both)
        let whole = try home.codex.page(of: path, from: .start, limits: PageLimits()).items
        #expect(whole.suffix(6).map(\.said) == ["Twice", "Once", "Twice", "Old", "Twice", "Once"])
        for size in 1...5 {
            var cursor = ConversationCursor.start
            var forwards: [ConversationItem] = []
            while true {
                let page = try home.codex.page(of: path, from: cursor, limits: PageLimits(items: size))
                forwards += page.items
                cursor = page.newer
                if page.reachesEnd { break }
            }
            #expect(CodexItems.merged(forwards) == whole, "forwards by \(size)")
            var backwards: [ConversationItem] = []
            var older: ConversationCursor?
            repeat {
                let page = try home.codex.lastPage(of: path, before: older, limits: PageLimits(items: size))
                backwards = page.items + backwards
                older = page.older
            } while older != nil
            #expect(CodexItems.merged(backwards) == whole, "backwards by \(size)")
        }
    }

    @Test("where nothing but the model's items tells the messages, they are taken without what programs put there")
    func modelOnly() throws {
        let home = try HistoryHome()
        let lines = [
            Rollout.meta(), Self.model("user", "<environment_context>\n</environment_context>"),
            Self.model("user", "Say hello"),
            Self.model("user", "Injected", kinds: ["app_context"]), Self.model("assistant", "Hello."),
        ]
        #expect(try items(lines, of: home).map(\.said) == ["Say hello", "Hello."])
        #expect(home.codex.threads().threads.map(\.title) == ["Say hello"])
    }

    @Test("turns that were taken back are counted once, however often their messages are told")
    func takenBack() throws {
        let lines =
            Self.begin + [
                Self.user("First"), Rollout.user("First"), Self.agent("One"), Rollout.agent("One"),
                Self.user("Second"), Rollout.user("Second"), Self.agent("Two"), Rollout.agent("Two"),
                Rollout.event(["type": "thread_rolled_back", "num_turns": 1]), Self.user("Third"),
            ]
        #expect(try items(lines, of: try HistoryHome()).map(\.said) == ["First", "One", "Third"])
    }

    @Test("a thread without words of a person is there as soon as its agent has worked")
    func withoutWords() throws {
        let home = try HistoryHome()
        try home.write(Rollout.day + Rollout.name, lines: Self.begin)
        #expect(home.codex.threads().threads.isEmpty)
        try home.write(Rollout.day + Rollout.name, lines: Self.begin + [Self.agent("I have begun.")])
        #expect(home.codex.threads().threads.map(\.title) == ["I have begun."])
        let call = Rollout.item(["type": "function_call", "name": "x", "call_id": "c", "arguments": "{}"])
        try home.write(Rollout.day + Rollout.name, lines: Self.begin + [call])
        #expect(home.codex.threads().threads.map(\.title) == ["[Untitled]"])
    }

    @Test("an item of a kind that is not known is shown as that")
    func unknown() throws {
        let items = try items(Self.begin + [Self.completed("Telepathy", [:])], of: try HistoryHome())
        #expect(items.map(\.content) == [.unknown(type: "item_completed/Telepathy")])
    }

    @Test("pictures in a message are shown, and found again by their item")
    func pictures() throws {
        let home = try HistoryHome()
        let content: JSONValue = [
            ["type": "text", "text": "What is this?"],
            ["type": "image", "image_url": "data:image/png;base64,iVBORw0K"],
            ["type": "local_image", "path": "/home/ada/a.png"],
        ]
        let items = try items(Self.begin + [Self.completed("UserMessage", ["content": content])], of: home)
        #expect(items.count == 3)
        let path = home.path + "/" + Rollout.day + Rollout.name
        let picture = try home.codex.picture(of: path, at: items[1].position, item: items[1].id, limit: 1000)
        #expect(picture?.base64 == "iVBORw0K")
    }
}
