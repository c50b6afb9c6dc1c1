import AgentHistory
import Conversations
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Agents

@Suite("Agents of the Agent Client Protocol", .timeLimit(.minutes(3)))
struct ACPTests {
    private static let agent = Agent(rawValue: "acp:goose")
    private static let thread = ThreadReference(agent: agent, id: "sess/1")

    private static let running =
        AgentScript.acp + [
            "> session/new", #"< {"jsonrpc":"2.0","id":"@session/new","result":{"sessionId":"sess/1"}}"#,
            "> session/prompt",
        ]
    private static let ended = #"< {"jsonrpc":"2.0","id":"@session/prompt","result":{"stopReason":"end_turn"}}"#

    private static func update(_ update: String) -> String {
        #"< {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess/1","update":\#(update)}}"#
    }

    private static func permission(_ id: String, _ call: String) -> String {
        #"< {"jsonrpc":"2.0","id":\#(id),"method":"session/request_permission","params":{"sessionId":"sess/1","toolCall":\#(call),"options":[{"optionId":"once","name":"Yes, this time","kind":"allow_once"},{"optionId":"ever","name":"Always","kind":"allow_always"},{"optionId":"no","name":"Never mind","kind":"reject_once"}]}}"#
    }

    @Test("a turn is written down and can be read like every other thread's")
    func transcript() async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.update(#"{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"Hm"}}"#),
                Self.update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"I "}}"#),
                Self.update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"look."}}"#),
                Self.update(
                    #"{"sessionUpdate":"plan","entries":[{"content":"Look","priority":"high","status":"in_progress"}]}"#
                ),
                Self.update(
                    #"{"sessionUpdate":"tool_call","toolCallId":"c1","title":"ls","kind":"execute","status":"pending","rawInput":{"command":["ls","a b"]}}"#
                ),
                Self.update(#"{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"in_progress"}"#),
                Self.update(
                    #"{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed","content":[{"type":"content","content":{"type":"text","text":"x.c"}}]}"#
                ),
                Self.update(
                    #"{"sessionUpdate":"tool_call","toolCallId":"c2","title":"Edit","kind":"edit","status":"completed","content":[{"type":"diff","path":"/src/x.c","oldText":"a\nb\nc\n","newText":"a\nB\nc\n"}]}"#
                ),
                Self.update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Done."}}"#),
                Self.ended,
            ]
        )
        let events = Events(script.sessions)
        let thread = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("Look around"))
        #expect(thread == Self.thread)
        #expect(try await events.finished() == (.done, "Done."))
        let hello = try #require(try script.received("initialize").first)
        #expect(hello["jsonrpc"] == "2.0")
        #expect(hello["params"]?["protocolVersion"] == 1)
        #expect(
            hello["params"]?["clientCapabilities"]
                == [
                    "fs": ["readTextFile": false, "writeTextFile": false], "terminal": false,
                    "elicitation": ["form": [:], "url": [:]],
                ]
        )
        #expect(
            try script.received("session/new").first?["params"]
                == ["cwd": .string(script.folder), "mcpServers": []]
        )
        let folder = script.folder + "/state/agents/goose"
        let history = TranscriptHistory(agent: Self.agent, folder: folder)
        let listed = try #require(history.threads().threads.first)
        #expect(listed.id == "sess/1")
        #expect(listed.agent == Self.agent)
        #expect(listed.title == "Look around")
        #expect(listed.workingFolder == script.folder)
        #expect(listed.version == "1.2")
        let page = try history.lastPage(of: listed.path)
        #expect(page.isTurnRunning == false)
        #expect(
            page.items.map(\.content) == [
                .userMessage(ItemText("Look around")), .reasoning(ItemText("Hm")), .agentMessage(ItemText("I look.")),
                .plan(Plan(steps: [Plan.Step(text: "Look", state: .running)])),
                .toolCall(ToolCall(callID: "c1", name: "ls", arguments: ItemText("ls 'a b'"))),
                .toolOutput(ToolOutput(callID: "c1", text: ItemText("x.c"), outcome: .succeeded)),
                .fileChange(
                    FileChange(
                        callID: "c2",
                        files: [FileChange.File(path: "/src/x.c", kind: .updated)],
                        patch: ItemText("*** /src/x.c\n@@ -2,1 +2,1 @@\n-b\n+B\n"),
                        outcome: .succeeded
                    )
                ),
                .agentMessage(ItemText("Done.")),
            ]
        )
        let attributes = try FileManager.default.attributesOfItem(atPath: listed.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        await script.sessions.close()
    }

    @Test("a prompt to a running turn waits for its end")
    func queue() async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.permission("1", #"{"toolCallId":"c1","title":"Build"}"#), "> reply 1", Self.ended,
                "> session/prompt", Self.ended,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        let approval = try await events.approval()
        let posting = try await script.sessions.post(ThreadPrompt("Two"), to: Self.thread, in: nil)
        #expect(posting == ThreadProgress(.waitingForApproval, thread: Self.thread, delivery: .queued))
        _ = try await script.sessions.answer(approval.id, ApprovalAnswer(optionID: "once"), by: "phone")
        _ = try await events.finished()
        _ = try await events.finished()
        let texts = try script.received("session/prompt").map { $0["params"]?["prompt"]?.arrayValue?.first?["text"] }
        #expect(texts == ["One", "Two"])
        await script.sessions.close()
    }

    @Test(
        "requests show what was told of the call before, in the agent's own words",
        arguments: ["once", "ever", "no"]
    )
    func permissions(option: String) async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.update(
                    #"{"sessionUpdate":"tool_call","toolCallId":"c1","title":"Run tests","kind":"execute","status":"pending","rawInput":{"command":"make test","cwd":"/src"}}"#
                ), Self.permission(#""p""#, #"{"toolCallId":"c1"}"#), #"> reply "p""#, Self.ended,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        let approval = try await events.approval()
        #expect(approval.subject == .command(Approval.Command(line: "make test", folder: "/src")))
        #expect(approval.reason == "Run tests")
        #expect(approval.options.map(\.name) == ["Yes, this time", "Always", "Never mind", nil])
        #expect(approval.options.map(\.kind) == [.allowOnce, .other("allow_always"), .decline, .cancel])
        _ = try await script.sessions.answer(approval.id, ApprovalAnswer(optionID: option), by: "phone")
        _ = try await events.finished()
        let reply = try #require(try script.received().first { $0["id"] == "p" })
        #expect(reply["result"] == ["outcome": ["outcome": "selected", "optionId": .string(option)]])
        await script.sessions.close()
    }

    @Test("a call that is told first by asking for it has its name and input in the transcript")
    func askedFirst() async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.permission(
                    "1",
                    #"{"toolCallId":"c1","title":"lookup (atlas)","kind":"other","status":"pending","locations":[{"path":"/src/a"}]}"#
                ), "> reply 1",
                Self.update(#"{"sessionUpdate":"tool_call_update","toolCallId":"c1","status":"completed"}"#),
                Self.ended,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        let approval = try await events.approval()
        _ = try await script.sessions.answer(approval.id, ApprovalAnswer(optionID: "once"), by: "phone")
        _ = try await events.finished()
        await script.sessions.close()
        let calls = try Self.items(of: script).compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
        #expect(calls.map(\.name) == ["lookup (atlas)"])
        #expect(calls.map(\.arguments.text) == ["/src/a"])
    }

    @Test("a request that the agent takes back is closed, and answered as cancelled")
    func takenBack() async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.permission("7", #"{"toolCallId":"c1","title":"Build"}"#),
                #"< {"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":7}}"#, "> reply 7", Self.ended,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        let approval = try await events.approval()
        #expect(try await events.closed() == (approval.id, nil, nil))
        _ = try await events.finished()
        let reply = try #require(try script.received().first { $0["id"] == 7 && $0["method"] == nil })
        #expect(reply["error"]?["code"] == .integer(-32800))
        await script.sessions.close()
    }

    private static func elicitation(_ members: String) -> String {
        #"< {"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{"sessionId":"sess/1",\#(members)}}"#
    }

    private static let form =
        #""mode":"form","message":"Which one?","requestedSchema":{"type":"object","properties":{"way":{"type":"string","oneOf":[{"const":"l","title":"Left","description":"steep"},{"const":"r","title":"Right"}]}},"required":["way"]}"#

    @Test("forms and addresses are offered to agents, and answered in the protocol's members")
    func elicitations() async throws {
        for (members, answer, expected) in [
            (
                Self.form, ApprovalAnswer(optionID: "accept", answers: ["way": ["Left"]]),
                #"{"action":"accept","content":{"way":"l"}}"#
            ),
            (Self.form, ApprovalAnswer(optionID: "decline"), #"{"action":"decline"}"#),
            (
                #""mode":"url","message":"Sign in","url":"https://example.org/x","elicitationId":"e""#,
                ApprovalAnswer(optionID: "accept"), #"{"action":"accept"}"#
            ),
        ] {
            let script = try AgentScript(
                Self.agent,
                Self.running + [Self.elicitation(members), "> reply 8", Self.ended]
            )
            let events = Events(script.sessions)
            _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
            let approval = try await events.approval()
            if case .questions(let questions) = approval.subject {
                #expect(questions.map(\.choices) == [["Left", "Right"]])
                #expect(questions[0].details == ["Left": Approval.ChoiceDetail(text: "steep")])
            } else {
                #expect(approval.subject == .permissions(["Open https://example.org/x"]))
            }
            _ = try await script.sessions.answer(approval.id, answer, by: "phone")
            _ = try await events.finished()
            let reply = try #require(try script.received().first { $0["id"] == 8 && $0["method"] == nil })
            #expect(reply["result"] == (try JSONValue(parsing: expected.utf8)))
            let greeting = try #require(try script.received("initialize").first?["params"]?["clientCapabilities"])
            #expect(greeting["elicitation"] == ["form": [:], "url": [:]])
            await script.sessions.close()
        }
    }

    @Test(
        "a title that the agent gives its session is the thread's, also in the middle of a message",
        arguments: [false, true]
    )
    func title(isTakenBack: Bool) async throws {
        let text = #"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Half"}}"#
        let named = #"{"sessionUpdate":"session_info_update","title":"Gears\nand axles"}"#
        let unnamed = #"{"sessionUpdate":"session_info_update","title":null}"#
        let unchanged = #"{"sessionUpdate":"session_info_update","updatedAt":"2026-09-21T14:13:20Z"}"#
        let script = try AgentScript(
            Self.agent,
            Self.running + [Self.update(text), Self.update(named)] + (isTakenBack ? [Self.update(unnamed)] : [])
                + [Self.update(unchanged), Self.update(text), Self.ended]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("Count"))
        #expect(try await events.finished() == (.done, "HalfHalf"))
        await script.sessions.close()
        let history = TranscriptHistory(agent: Self.agent, folder: script.folder + "/state/agents/goose")
        #expect(history.threads().threads.map(\.title) == [isTakenBack ? "Count" : "Gears and axles"])
        #expect(
            try Self.items(of: script) == [.userMessage(ItemText("Count")), .agentMessage(ItemText("HalfHalf"))]
        )
    }

    @Test("stopping a turn cancels its question in the question's own words, and names the prompts that waited")
    func cancelQuestion() async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.elicitation(Self.form), "> reply 8",
                #"< {"jsonrpc":"2.0","id":"@session/prompt","result":{"stopReason":"cancelled"}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        _ = try await events.approval()
        let posting = try await script.sessions.post(ThreadPrompt("And then two"), to: Self.thread, in: nil)
        #expect(posting.delivery == .queued)
        #expect(try await script.sessions.cancel(Self.thread).notDelivered == ["And then two"])
        try await events.state(.idle)
        let reply = try #require(try script.received().first { $0["id"] == 8 && $0["method"] == nil })
        #expect(reply["result"] == ["action": "cancel"])
        await script.sessions.close()
        let notices = try Self.items(of: script).compactMap {
            if case .notice(let notice) = $0 { notice.text.text } else { nil }
        }
        #expect(notices.contains("Not sent, because the turn before it was stopped: And then two"))
    }

    /// What the transcript of the thread says.
    private static func items(of script: AgentScript) throws -> [ConversationItem.Content] {
        let history = TranscriptHistory(agent: agent, folder: script.folder + "/state/agents/goose")
        let thread = try #require(history.threads().threads.first)
        return try history.lastPage(of: thread.path).items.map(\.content)
    }

    @Test("stopping a turn answers its request with cancelled", arguments: [false, true])
    func cancel(byAnswer: Bool) async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.permission(
                    "1",
                    #"{"toolCallId":"c1","kind":"edit","content":[{"type":"diff","path":"/a","newText":"x"}]}"#
                ),
                byAnswer ? "> session/cancel" : "> reply 1",
                #"< {"jsonrpc":"2.0","id":"@session/prompt","result":{"stopReason":"cancelled"}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        let approval = try await events.approval()
        guard case .fileChange(let change) = approval.subject else {
            Issue.record("\(approval.subject)")
            return
        }
        #expect(change.files == [FileChange.File(path: "/a", kind: .added)])
        #expect(change.patch.text == "*** /a\n+x\n")
        if byAnswer {
            let answer = ApprovalAnswer(optionID: try approval.option(.cancel))
            #expect(try await script.sessions.answer(approval.id, answer, by: "phone").counted)
        } else {
            _ = try await script.sessions.cancel(Self.thread)
        }
        try await events.state(.idle)
        let replies = try script.received().filter { $0["id"] == 1 && $0["method"] == nil }
        #expect(replies.map { $0["result"] } == [["outcome": ["outcome": "cancelled"]]])
        #expect(try script.received("session/cancel").count == 1)
        await script.sessions.close()
    }

    @Test("of an answer and a stop at once one reaches the agent", arguments: 1...5)
    func answerAndStop(round: Int) async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                Self.permission("1", #"{"toolCallId":"c1","title":"Build"}"#), "> session/cancel",
                #"< {"jsonrpc":"2.0","id":"@session/prompt","result":{"stopReason":"cancelled"}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        let approval = try await events.approval()
        try await withThrowingTaskGroup(of: Void.self) { [sessions = script.sessions] group in
            group.addTask { _ = try await sessions.cancel(Self.thread) }
            for device in 0..<4 {
                group.addTask {
                    _ = try await sessions.answer(approval.id, ApprovalAnswer(optionID: "once"), by: "\(device)")
                }
            }
            try await group.waitForAll()
        }
        try await events.state(.idle)
        await script.sessions.close()
        // None where the program was ended before it read the answer.
        #expect(try script.received().filter { $0["id"] == 1 && $0["method"] == nil }.count <= 1)
    }

    @Test("prompts at once to a thread that is not open open it once, and a thread that never was here is unknown")
    func reopenOnce() async throws {
        let script = try AgentScript(Self.agent, Self.running + [Self.ended])
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        _ = try await events.finished()
        await script.sessions.close()
        let again = try AgentScript(
            Self.agent,
            AgentScript.acp + [
                "> session/load", #"< {"jsonrpc":"2.0","id":"@session/load","result":null}"#, "> session/prompt",
                Self.ended, "> session/prompt", Self.ended,
            ]
        )
        try FileManager.default.copyItem(atPath: script.folder + "/state", toPath: again.folder + "/state")
        let never = ThreadReference(agent: Self.agent, id: "never")
        await #expect(throws: AgentError.unknownThread(never)) {
            try await again.sessions.post(ThreadPrompt("x"), to: never, in: "/")
        }
        let later = Events(again.sessions)
        try await withThrowingTaskGroup(of: Void.self) { [sessions = again.sessions] group in
            for text in ["a", "b"] {
                group.addTask { _ = try await sessions.post(ThreadPrompt(text), to: Self.thread, in: nil) }
            }
            try await group.waitForAll()
        }
        _ = try await later.finished()
        _ = try await later.finished()
        #expect(try again.received("session/load").count == 1)
        #expect(try again.received("session/prompt").count == 2)
        await again.sessions.close()
    }

    @Test("files and terminals of this computer are not offered to agents")
    func noFiles() async throws {
        let script = try AgentScript(
            Self.agent,
            Self.running + [
                #"< {"jsonrpc":"2.0","id":1,"method":"fs/read_text_file","params":{"sessionId":"sess/1","path":"/etc/passwd"}}"#,
                "> reply 1",
                #"< {"jsonrpc":"2.0","id":2,"method":"terminal/create","params":{"sessionId":"sess/1","command":"sh"}}"#,
                "> reply 2", Self.ended,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        _ = try await events.finished()
        #expect(try script.received().compactMap { $0["error"]?["code"]?.integerValue } == [-32601, -32601])
        await script.sessions.close()
    }

    @Test("a thread of an earlier run is loaded; what the agent tells again is not written twice")
    func load() async throws {
        let script = try AgentScript(Self.agent, Self.running + [Self.ended, "exit 0"])
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        _ = try await events.finished()
        await script.sessions.close()
        let again = try AgentScript(
            Self.agent,
            AgentScript.acp + [
                "> session/load",
                Self.update(#"{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"One"}}"#),
                Self.update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Old"}}"#),
                #"< {"jsonrpc":"2.0","id":"@session/load","result":null}"#, "> session/prompt",
                Self.update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"New"}}"#),
                Self.ended,
            ]
        )
        try FileManager.default.copyItem(atPath: script.folder + "/state", toPath: again.folder + "/state")
        let later = Events(again.sessions)
        // The folder is known from the transcript.
        let posting = try await again.sessions.post(ThreadPrompt("Two"), to: Self.thread, in: nil)
        #expect(posting.delivery == .started)
        #expect(try await later.finished() == (.done, "New"))
        #expect(try again.received("session/load").first?["params"]?["cwd"] == .string(script.folder))
        let history = TranscriptHistory(agent: Self.agent, folder: again.folder + "/state/agents/goose")
        let path = try #require(history.threads().threads.first).path
        #expect(
            try history.lastPage(of: path).items.map(\.content) == [
                .userMessage(ItemText("One")), .userMessage(ItemText("Two")), .agentMessage(ItemText("New")),
            ]
        )
        await again.sessions.close()
    }

    @Test("an agent that opens nothing again, speaks another version or wants a sign-in says so")
    func refusals() async throws {
        let plain = #"< {"jsonrpc":"2.0","id":"@initialize","result":{"protocolVersion":1}}"#
        let cannot = try AgentScript(Self.agent, ["> initialize", plain])
        await #expect(throws: AgentError.cannotResume(name: "goose")) {
            try await cannot.sessions.post(ThreadPrompt("x"), to: Self.thread, in: "/")
        }
        await cannot.sessions.close()
        let other = try AgentScript(
            Self.agent,
            ["> initialize", #"< {"jsonrpc":"2.0","id":"@initialize","result":{"protocolVersion":2}}"#]
        )
        await #expect(
            throws: AgentError.refused(name: "goose", reason: "it does not speak version 1 of the protocol")
        ) { try await other.sessions.start(Self.agent, in: "/", ThreadPrompt("x")) }
        await other.sessions.close()
        let signIn = try AgentScript(
            Self.agent,
            AgentScript.acp + [
                "> session/new",
                #"< {"jsonrpc":"2.0","id":"@session/new","error":{"code":-32000,"message":"Authentication required"}}"#,
            ]
        )
        await #expect(throws: AgentError.notSignedIn(name: "goose", text: "Authentication required")) {
            try await signIn.sessions.start(Self.agent, in: "/", ThreadPrompt("x"))
        }
        await signIn.sessions.close()
    }

    @Test("a program that dies fails its turns, and the reason is written down")
    func death() async throws {
        let script = try AgentScript(Self.agent, Self.running + [Self.permission("1", "{}"), "words oops", "exit 9"])
        let events = Events(script.sessions)
        _ = try await script.sessions.start(Self.agent, in: script.folder, ThreadPrompt("One"))
        let (state, summary) = try await events.finished()
        #expect(state == .failed)
        #expect(
            summary == AgentError.died(name: "goose", how: "ended with status 9", lastWords: "oops").description
        )
        #expect(script.sessions.approvals().isEmpty)
        let history = TranscriptHistory(agent: Self.agent, folder: script.folder + "/state/agents/goose")
        let path = try #require(history.threads().threads.first).path
        let last = try #require(try history.lastPage(of: path).items.last)
        #expect(last.content == .notice(Notice(kind: .error, text: ItemText(summary ?? ""))))
        await script.sessions.close()
    }
}
