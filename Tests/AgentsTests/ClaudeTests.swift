import Conversations
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Agents

@Suite("Claude Code", .timeLimit(.minutes(3)))
struct ClaudeTests {
    private static let thread = ThreadReference(agent: .claudeCode, id: "sid-1")
    private static let begun = #"< {"type":"system","subtype":"init","session_id":"sid-1","cwd":"/src","tools":[]}"#
    private static let running = AgentScript.claude + ["> user", begun]
    private static let result =
        #"< {"type":"result","subtype":"success","is_error":false,"result":"All done","session_id":"sid-1"}"#

    @Test("a thread is started, its message streams, and its turn ends")
    func start() async throws {
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                #"< {"type":"stream_event","event":{"type":"message_start","message":{"id":"msg_1"}},"session_id":"sid-1"}"#,
                #"< {"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"All "}}}"#,
                #"< {"type":"stream_event","parent_tool_use_id":"toolu_1","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hidden"}}}"#,
                #"< {"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"done"}}}"#,
                #"< {"type":"assistant","message":{"id":"msg_1","content":[{"type":"text","text":"All done"}]}}"#,
                Self.result,
            ]
        )
        let events = Events(script.sessions)
        let thread = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        #expect(thread == Self.thread)
        #expect(try await events.first { $0 } == .started(Self.thread, parent: nil))
        #expect(try await events.first { $0 } == .state(Self.thread, .running, reason: nil))
        #expect(try await events.first { $0 } == .delta(Self.thread, itemID: "msg_1", offset: 0, text: "All "))
        #expect(try await events.first { $0 } == .delta(Self.thread, itemID: "msg_1", offset: 4, text: "done"))
        #expect(try await events.first { $0 } == .state(Self.thread, .done, reason: nil))
        #expect(try await events.first { $0 } == .finished(Self.thread, .done, summary: "All done"))
        let noted = try script.start()
        #expect(noted["cwd"] == .string(script.folder))
        #expect(
            noted["arguments"]?.arrayValue?.compactMap(\.stringValue) == [
                "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                "--include-partial-messages", "--permission-prompt-tool", "stdio",
            ]
        )
        let message = try #require(try script.received("user").first)
        #expect(
            message["message"] == ["role": "user", "content": [["type": "text", "text": "Hello"]]]
        )
        await script.sessions.close()
    }

    @Test("a thread of an earlier run is resumed; a copy that the program makes is followed")
    func resume() async throws {
        let script = try AgentScript(.claudeCode, Self.running)
        let old = ThreadReference(agent: .claudeCode, id: "old")
        let events = Events(script.sessions)
        await #expect(throws: AgentError.folderUnknown(old)) {
            try await script.sessions.post(ThreadPrompt("Go on"), to: old, in: nil)
        }
        let posting = try await script.sessions.post(ThreadPrompt("Go on"), to: old, in: script.folder)
        #expect(posting == ThreadProgress(.running, thread: Self.thread, delivery: .started))
        #expect(try await events.first { $0 } == .started(Self.thread, parent: old))
        #expect(try script.start()["arguments"]?.arrayValue?.last == "--resume=old")
        // Both names are the same program's now.
        let again = try await script.sessions.post(ThreadPrompt("More"), to: old, in: script.folder)
        #expect(again == ThreadProgress(.running, thread: Self.thread, delivery: .steered))
        #expect(try script.received().filter { $0["pid"] != nil }.count == 1)
        await script.sessions.close()
    }

    @Test("two prompts at once to a thread that is not open start one program")
    func twoPrompts() async throws {
        let script = try AgentScript(.claudeCode, Self.running)
        try await withThrowingTaskGroup(of: ThreadProgress.self) { group in
            for text in ["one", "two", "three"] {
                group.addTask { [sessions = script.sessions, folder = script.folder] in
                    try await sessions.post(ThreadPrompt(text), to: Self.thread, in: folder)
                }
            }
            for try await posting in group { #expect(posting.thread == Self.thread) }
        }
        #expect(try script.received().filter { $0["pid"] != nil }.count == 1)
        await script.sessions.close()
    }

    /// What each answer to a tool makes of the request.
    private static func answered(
        _ request: String,
        _ answer: @escaping @Sendable (Approval) throws -> ApprovalAnswer
    ) async throws -> (approval: Approval, reply: JSONValue) {
        let script = try AgentScript(
            .claudeCode,
            running + [
                #"< {"type":"control_request","request_id":"q1","request":\#(request)}"#, #"> reply "q1""#, result,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        #expect(try await script.sessions.answer(approval.id, answer(approval), by: "phone").counted)
        _ = try await events.first {
            if case .state(_, let state, _) = $0, !state.isWaiting, state != .running { true } else { nil }
        }
        let response = try #require(try script.received("control_response").last?["response"])
        #expect(response["request_id"] == "q1")
        #expect(response["subtype"] == "success")
        await script.sessions.close()
        return (approval, try #require(response["response"]))
    }

    private static let bash =
        #"{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"npm test","description":"Run"},"tool_use_id":"toolu_1","permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"npm test:*"}],"behavior":"allow","destination":"localSettings"}],"decision_reason":"not in the list"}"#

    @Test("a command is allowed once, with its input unchanged")
    func allow() async throws {
        let (approval, reply) = try await Self.answered(Self.bash) {
            ApprovalAnswer(optionID: try $0.option(.allowOnce))
        }
        guard case .command(let command) = approval.subject else {
            Issue.record("\(approval.subject)")
            return
        }
        #expect(command.line == "npm test")
        #expect(command.folder?.contains("tandem-agents-") == true)
        #expect(approval.reason == "not in the list")
        #expect(approval.options.map(\.kind) == [.allowOnce, .allowForSession, .decline, .cancel])
        #expect(approval.options[1].name == "Allow for this session: Bash(npm test:*)")
        #expect(
            reply == ["behavior": "allow", "updatedInput": ["command": "npm test", "description": "Run"]]
        )
    }

    @Test("what Claude Code says of a request is told as sentences, and the path that it may not use is named")
    func reasons() async throws {
        let (approval, _) = try await Self.answered(
            #"{"subtype":"can_use_tool","tool_name":"Read","input":{"file_path":"/etc/hosts"},"decision_reason":"Outside of the folders","description":"Looks up the names!","blocked_path":"/etc/hosts"}"#
        ) { ApprovalAnswer(optionID: try $0.option(.decline)) }
        #expect(approval.reason == "Outside of the folders. Looks up the names! Blocked path: /etc/hosts")
    }

    @Test("a rule is for the session only, whatever was proposed")
    func allowForSession() async throws {
        let (_, reply) = try await Self.answered(Self.bash) {
            ApprovalAnswer(optionID: try $0.option(.allowForSession))
        }
        #expect(reply["behavior"] == "allow")
        #expect(
            reply["updatedPermissions"] == [
                [
                    "type": "addRules", "behavior": "allow", "destination": "session",
                    "rules": [["toolName": "Bash", "ruleContent": "npm test:*"]],
                ]
            ]
        )
    }

    @Test("a refusal carries the person's reason, and can stop the turn", arguments: [false, true])
    func deny(stops: Bool) async throws {
        let (_, reply) = try await Self.answered(Self.bash) {
            ApprovalAnswer(optionID: try $0.option(stops ? .cancel : .decline), reason: "Use pnpm")
        }
        #expect(reply == ["behavior": "deny", "message": "Use pnpm", "interrupt": .bool(stops)])
    }

    @Test("an edit is shown with the lines that go and come")
    func edit() async throws {
        let (approval, reply) = try await Self.answered(
            #"{"subtype":"can_use_tool","tool_name":"Edit","input":{"file_path":"/src/a.c","old_string":"a\nb","new_string":"c\n"},"tool_use_id":"t"}"#
        ) { ApprovalAnswer(optionID: try $0.option(.decline)) }
        #expect(
            approval.subject
                == .fileChange(
                    FileChange(
                        callID: "t",
                        files: [FileChange.File(path: "/src/a.c", kind: .updated)],
                        patch: ItemText("-a\n-b\n+c\n"),
                        outcome: .unknown
                    )
                )
        )
        #expect(approval.options.map(\.kind) == [.allowOnce, .decline, .cancel])
        #expect(reply["message"] == "The person declined this.")
    }

    @Test("questions are answered in the tool's own input, by their texts")
    func questions() async throws {
        let input =
            #"{"questions":[{"question":"Which base?","header":"Base","options":[{"label":"main","description":"what runs","preview":"o--o\n|"},{"label":"dev"}]},{"question":"Tests?","header":"T","multiSelect":true,"options":[{"label":"unit"},{"label":"e2e"}]}]}"#
        let (approval, reply) = try await Self.answered(
            #"{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":\#(input),"tool_use_id":"t"}"#
        ) { _ in ApprovalAnswer(optionID: "submit", answers: ["0": ["main"], "1": ["unit", "e2e"]]) }
        #expect(
            approval.subject
                == .questions([
                    Approval.Question(
                        id: "0",
                        text: "Which base?",
                        header: "Base",
                        choices: ["main", "dev"],
                        details: ["main": Approval.ChoiceDetail(text: "what runs", preview: ItemText("o--o\n|"))]
                    ),
                    Approval.Question(
                        id: "1",
                        text: "Tests?",
                        header: "T",
                        choices: ["unit", "e2e"],
                        allowsSeveral: true
                    ),
                ])
        )
        #expect(reply["behavior"] == "allow")
        #expect(reply["updatedInput"]?["answers"] == ["Which base?": "main", "Tests?": "unit, e2e"])
        #expect(reply["updatedInput"]?["questions"] == (try JSONValue(parsing: input.utf8))["questions"])
    }

    @Test("another tool is shown with its input")
    func tool() async throws {
        let (approval, _) = try await Self.answered(
            #"{"subtype":"can_use_tool","tool_name":"WebFetch","input":{"url":"https://example.org"},"tool_use_id":"t"}"#
        ) { ApprovalAnswer(optionID: try $0.option(.allowOnce)) }
        let call = ToolCall(callID: "t", name: "WebFetch", arguments: ItemText(#"{"url":"https://example.org"}"#))
        #expect(approval.subject == .tool(call))
    }

    @Test("a request that the program takes back is closed")
    func withdrawn() async throws {
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                #"< {"type":"control_request","request_id":"q1","request":\#(Self.bash)}"#,
                #"< {"type":"control_cancel_request","request_id":"q1"}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        #expect(try await events.closed() == (approval.id, nil, nil))
        try await events.state(.running)
        await script.sessions.close()
    }

    @Test("a turn is interrupted by its control request")
    func cancel() async throws {
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                "> interrupt",
                #"< {"type":"control_response","response":{"subtype":"success","request_id":"@interrupt","response":{}}}"#,
                #"< {"type":"result","subtype":"error_during_execution","is_error":true,"session_id":"sid-1"}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        _ = try await script.sessions.cancel(Self.thread)
        try await events.state(.idle)
        #expect(try await script.sessions.cancel(Self.thread).state == .idle)
        await script.sessions.close()
    }

    @Test("a program that does not listen to an interruption is ended")
    func deafToInterrupt() async throws {
        let script = try AgentScript(.claudeCode, Self.running, time: HurriedClock(limit: .seconds(10)))
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        #expect(try await script.sessions.cancel(Self.thread).state == .idle)
        try await events.state(.idle)
        #expect(!isThere(try script.process()))
        await script.sessions.close()
    }

    @Test("a program that takes an interruption in and does not stop is ended when it is asked for again")
    func goesOn() async throws {
        let clock = HurriedClock()
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                "> interrupt",
                #"< {"type":"control_response","response":{"subtype":"success","request_id":"@interrupt","response":{}}}"#,
            ],
            time: clock
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        #expect(try await script.sessions.cancel(Self.thread).state == .running)
        clock.manual.advance(by: .seconds(10))
        #expect(try await script.sessions.cancel(Self.thread).state == .idle)
        try await events.state(.idle)
        #expect(!isThere(try script.process()))
        await script.sessions.close()
    }

    @Test("a failed turn says why; one for want of a sign-in says what to do")
    func failures() async throws {
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                #"< {"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached the limit"]}"#,
                "> user", Self.begun,
                #"< {"type":"assistant","error":"authentication_failed","message":{"content":[]}}"#,
                #"< {"type":"result","subtype":"success","is_error":true,"result":"Invalid API key"}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        #expect(try await events.finished() == (.failed, "Reached the limit"))
        _ = try await script.sessions.post(ThreadPrompt("Again"), to: Self.thread, in: nil)
        let (state, summary) = try await events.finished()
        #expect(state == .failed)
        #expect(summary == AgentError.notSignedIn(name: "Claude Code", text: "Invalid API key").description)
        await script.sessions.close()
    }

    @Test("a program that ends before it has named its thread is told as its end", arguments: [0, 1, 2, 3])
    func earlyDeath(lines: Int) async throws {
        let script = try AgentScript(
            .claudeCode,
            (AgentScript.claude + ["> user"]).prefix(lines) + ["words no such session", "exit 1"]
        )
        let thread = ThreadReference(agent: .claudeCode, id: "gone")
        await #expect {
            try await script.sessions.post(ThreadPrompt("Hello"), to: thread, in: script.folder)
        } throws: { error in
            if case AgentError.died("Claude Code", _, _) = error { true } else { false }
        }
        await script.sessions.close()
    }

    @Test("a helper's request outlives the turn that began it, and its answer reaches the program")
    func requestAfterTheTurn() async throws {
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                #"< {"type":"control_request","request_id":"q1","request":\#(Self.bash)}"#, Self.result,
                #"< {"type":"control_request","request_id":"q2","request":\#(Self.bash)}"#, #"> reply "q1""#,
                #"> reply "q2""#, "> user", Self.begun, Self.result,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        let during = try await events.approval()
        let after = try await events.approval()
        #expect(script.sessions.states()[Self.thread] == .waitingForApproval)
        for approval in [during, after] {
            let answer = ApprovalAnswer(optionID: try approval.option(.allowOnce))
            #expect(try await script.sessions.answer(approval.id, answer, by: "phone").counted)
        }
        #expect(try await events.finished() == (.done, "All done"))
        // The program has read both answers once it goes on with the next prompt.
        _ = try await script.sessions.post(ThreadPrompt("Again"), to: Self.thread, in: nil)
        #expect(try await events.finished() == (.done, "All done"))
        await script.sessions.close()
        let answered = try script.received("control_response").compactMap { $0["response"]?["response"]?["behavior"] }
        #expect(answered == ["allow", "allow"])
    }

    @Test("stopping a thread whose turn is over declines what waits, and ends its tasks")
    func stopAfterTheTurn() async throws {
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                #"< {"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"b1"}]}"#, Self.result,
                #"< {"type":"control_request","request_id":"q1","request":\#(Self.bash)}"#, #"> reply "q1""#,
                "> stop_task",
                #"< {"type":"control_response","response":{"subtype":"success","request_id":"@stop_task","response":{}}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        #expect(try await script.sessions.cancel(Self.thread).state == .done)
        #expect(try await events.closed().0 == approval.id)
        await script.sessions.close()
        let reply = try #require(try script.received("control_response").last?["response"]?["response"])
        #expect(reply["behavior"] == "deny")
        #expect(reply["interrupt"] == true)
        let stopped = try script.received("control_request").compactMap { $0["request"]?["task_id"] }
        #expect(stopped == ["b1"])
    }

    @Test(
        "a program that waits for a person, or works in the background, is not ended for being idle",
        arguments: [
            #"< {"type":"control_request","request_id":"q1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"}}}"#,
            #"< {"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"b1"}]}"#,
            #"< {"type":"system","subtype":"task_started","task_id":"b1","is_backgrounded":true}"#,
        ]
    )
    func notIdle(busy: String) async throws {
        let clock = HurriedClock()
        let script = try AgentScript(
            .claudeCode,
            Self.running + [busy, Self.result, "> user", Self.begun],
            time: clock
        )
        let events = Events(script.sessions)
        let running = Task { [sessions = script.sessions] in await sessions.run() }
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        _ = try await events.first { event -> Bool? in
            switch event {
            case .opened, .finished: return true
            default: return nil
            }
        }
        let process = try script.process()
        await clock.manual.sleeper(for: .seconds(60))
        clock.manual.advance(by: .seconds(660))
        await clock.manual.sleeper(for: .seconds(60))
        #expect(isThere(process))
        let posting = try await script.sessions.post(ThreadPrompt("Again"), to: Self.thread, in: script.folder)
        #expect(posting.thread == Self.thread)
        #expect(try script.process() == process)
        running.cancel()
        await running.value
        await script.sessions.close()
    }

    @Test("a request that is nested too deep is declined by its id, and the turn goes on")
    func nestedRequest() async throws {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        let script = try AgentScript(
            .claudeCode,
            Self.running + [
                #"< {"type":"control_request","request":{"subtype":"can_use_tool","tool_name":"x","input":\#(deep)},"request_id":"q1"}"#,
                #"> reply "q1""#, Self.result,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        #expect(try await events.finished() == (.done, "All done"))
        let reply = try #require(try script.received("control_response").last?["response"])
        #expect(reply["request_id"] == "q1")
        #expect(reply["subtype"] == "error")
        await script.sessions.close()
    }

    @Test(
        "modes in which nothing is asked any more are not offered for the session",
        arguments: [("bypassPermissions", false), ("dontAsk", false), ("auto", false), ("acceptEdits", true)]
    )
    func modes(mode: String, isOffered: Bool) async throws {
        let (approval, _) = try await Self.answered(
            #"{"subtype":"can_use_tool","tool_name":"Read","input":{"file_path":"/a"},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Read"}],"behavior":"allow","destination":"session"},{"type":"setMode","mode":"\#(mode)","destination":"session"}]}"#
        ) { ApprovalAnswer(optionID: try $0.option(.decline)) }
        #expect(approval.options.contains { $0.kind == .allowForSession } == isOffered)
    }

    @Test("a program that has nothing to do for a while is ended, and started again for the next prompt")
    func idle() async throws {
        let clock = HurriedClock()
        let script = try AgentScript(.claudeCode, Self.running + [Self.result], time: clock)
        let events = Events(script.sessions)
        let running = Task { [sessions = script.sessions] in await sessions.run() }
        _ = try await script.sessions.start(.claudeCode, in: script.folder, ThreadPrompt("Hello"))
        _ = try await events.finished()
        let process = try script.process()
        // Half the time changes nothing.
        await clock.manual.sleeper(for: .seconds(60))
        clock.manual.advance(by: .seconds(300))
        await clock.manual.sleeper(for: .seconds(60))
        #expect(isThere(process))
        clock.manual.advance(by: .seconds(301))
        await clock.manual.sleeper(for: .seconds(60))
        let posting = try await script.sessions.post(ThreadPrompt("Again"), to: Self.thread, in: script.folder)
        #expect(posting.delivery == .started)
        #expect(try script.process() != process)
        running.cancel()
        await running.value
        await script.sessions.close()
        #expect(!isThere(process))
    }
}
