import Conversations
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Agents

@Suite("Codex", .timeLimit(.minutes(3)))
struct CodexTests {
    private static let thread = ThreadReference(agent: .codex, id: "thr-1")

    /// A thread that was started, and a turn that runs.
    private static let running =
        AgentScript.codex + [
            "> thread/start",
            #"< {"id":"@thread/start","result":{"thread":{"id":"thr-1","preview":""},"model":"gpt-5"}}"#,
            #"< {"method":"thread/started","params":{"thread":{"id":"thr-1"}}}"#,
            "> turn/start",
            #"< {"id":"@turn/start","result":{"turn":{"id":"turn-1","status":"inProgress","items":[]}}}"#,
            #"< {"method":"turn/started","params":{"threadId":"thr-1","turn":{"id":"turn-1","status":"inProgress"}}}"#,
        ]

    private static let completed =
        #"< {"method":"turn/completed","params":{"threadId":"thr-1","turn":{"id":"turn-1","status":"completed"}}}"#

    @Test("a thread is started, its message streams, and its turn ends")
    func start() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"method":"item/agentMessage/delta","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","delta":"Grüße "}}"#,
                #"< {"method":"item/agentMessage/delta","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","delta":"🙂"}}"#,
                #"< {"method":"item/agentMessage/delta","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","delta":"!"}}"#,
                #"< {"method":"item/completed","params":{"threadId":"thr-1","item":{"type":"agentMessage","id":"i1","text":"Grüße 🙂!"}}}"#,
                Self.completed,
            ]
        )
        let events = Events(script.sessions)
        let thread = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        #expect(thread == Self.thread)
        #expect(try await events.first { $0 } == .started(Self.thread, parent: nil))
        #expect(try await events.first { $0 } == .state(Self.thread, .running, reason: nil))
        #expect(try await events.first { $0 } == .delta(Self.thread, itemID: "i1", offset: 0, text: "Grüße "))
        #expect(try await events.first { $0 } == .delta(Self.thread, itemID: "i1", offset: 6, text: "🙂"))
        #expect(try await events.first { $0 } == .delta(Self.thread, itemID: "i1", offset: 8, text: "!"))
        #expect(try await events.first { $0 } == .state(Self.thread, .done, reason: nil))
        #expect(try await events.first { $0 } == .finished(Self.thread, .done, summary: "Grüße 🙂!"))
        #expect(script.sessions.states() == [Self.thread: .done])
        let hello = try #require(try script.received("initialize").first)
        #expect(hello["jsonrpc"] == nil)
        #expect(hello["params"]?["clientInfo"]?["name"] == "tandem")
        #expect(try script.received("thread/start").first?["params"] == ["cwd": .string(script.folder)])
        #expect(
            try script.received("turn/start").first?["params"]
                == ["threadId": "thr-1", "input": [["type": "text", "text": "Hello", "text_elements": []]]]
        )
        await script.sessions.close()
    }

    @Test("Codex is told the time without a person, and half of a pair does not cost a message")
    func time() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":"c-1","method":"currentTime/read","params":{"threadId":"thr-1"}}"#, #"> reply "c-1""#,
                #"< {"method":"item/agentMessage/delta","params":{"threadId":"thr-1","itemId":"i1","delta":"Two \ud83d"}}"#,
                #"< {"method":"item/agentMessage/delta","params":{"threadId":"thr-1","itemId":"i1","delta":"\ude00 halves"}}"#,
                #"< {"method":"item/completed","params":{"threadId":"thr-1","item":{"type":"agentMessage","id":"i1","text":"Cut \ud83d"}}}"#,
                Self.completed,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        #expect(try await events.finished().1 == "Cut \u{FFFD}")
        #expect(script.sessions.approvals().isEmpty)
        await script.sessions.close()
    }

    @Test("a prompt steers the running turn; afterwards it begins a turn")
    func steer() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                "> turn/steer", #"< {"id":"@turn/steer","result":{"turnId":"turn-1"}}"#, Self.completed,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-2","status":"inProgress"}}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let first = try await script.sessions.post(ThreadPrompt("More"), to: Self.thread, in: nil)
        #expect(first.delivery == .steered)
        #expect(try await events.finished().0 == .done)
        let second = try await script.sessions.post(ThreadPrompt("Again"), to: Self.thread, in: nil)
        #expect(second == ThreadProgress(.running, thread: Self.thread, delivery: .started))
        #expect(try script.received("turn/steer").first?["params"]?["expectedTurnId"] == "turn-1")
        #expect(try script.received("thread/resume").isEmpty)
        await script.sessions.close()
    }

    @Test("what a turn does not take in begins the next one")
    func queue() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                "> turn/steer",
                #"< {"id":"@turn/steer","error":{"code":-32600,"message":"the active turn is a review"}}"#,
                "> turn/interrupt", #"< {"id":"@turn/interrupt","result":{}}"#,
            ]
        )
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let posting = try await script.sessions.post(ThreadPrompt("Later"), to: Self.thread, in: nil)
        #expect(posting.delivery == .queued)
        #expect(try await script.sessions.cancel(Self.thread).notDelivered == ["Later"])
        await script.sessions.close()
        try script.play([])
        // A script of its own: the prompt that waits goes out when the turn has ended.
        let second = try AgentScript(
            .codex,
            Self.running + [
                "> turn/steer", #"< {"id":"@turn/steer","error":{"code":-32600,"message":"a review"}}"#, Self.completed,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-2"}}}"#,
                #"< {"method":"turn/completed","params":{"threadId":"thr-1","turn":{"id":"turn-2","status":"completed"}}}"#,
            ]
        )
        let events = Events(second.sessions)
        _ = try await second.sessions.start(.codex, in: second.folder, ThreadPrompt("Hello"))
        _ = try await second.sessions.post(ThreadPrompt("Later"), to: Self.thread, in: nil)
        _ = try await events.finished()
        _ = try await events.finished()
        let texts = try second.received("turn/start").map { $0["params"]?["input"]?.arrayValue?.first?["text"] }
        #expect(texts == ["Hello", "Later"])
        await second.sessions.close()
    }

    @Test("a stopped turn is idle afterwards, and its request is closed without an answer")
    func cancel() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":"r1","method":"item/commandExecution/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","command":"make","cwd":"/src"}}"#,
                "> turn/interrupt", #"< {"id":"@turn/interrupt","result":{}}"#,
                #"< {"method":"serverRequest/resolved","params":{"threadId":"thr-1","requestId":"r1"}}"#,
                #"< {"method":"turn/completed","params":{"threadId":"thr-1","turn":{"id":"turn-1","status":"interrupted"}}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        try await events.state(.waitingForApproval)
        _ = try await script.sessions.cancel(Self.thread)
        #expect(try await events.closed() == (approval.id, nil, nil))
        try await events.state(.idle)
        #expect(script.sessions.approvals().isEmpty)
        #expect(
            try await script.sessions.answer(approval.id, ApprovalAnswer(optionID: "accept"), by: "phone")
                == ApprovalOutcome(counted: false, option: nil, by: nil)
        )
        await script.sessions.close()
    }

    @Test("each answer to a command reaches Codex with the id as it came", arguments: ["r1", "7"])
    func command(id: String) async throws {
        let wire = id == "7" ? "7" : #""r1""#
        for option in ["accept", "acceptForSession", "decline", "cancel"] {
            let script = try AgentScript(
                .codex,
                Self.running + [
                    #"< {"id":\#(wire),"method":"item/commandExecution/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","command":"rm -rf 'a b'","cwd":"/src","reason":"it is old"}}"#,
                    "> reply \(wire)",
                    #"< {"method":"serverRequest/resolved","params":{"threadId":"thr-1","requestId":\#(wire)}}"#,
                    Self.completed,
                ]
            )
            let events = Events(script.sessions)
            // The turn may end before it is told what became of the request.
            let ends = Events(script.sessions)
            _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
            let approval = try await events.approval()
            #expect(approval.subject == .command(Approval.Command(line: "rm -rf 'a b'", folder: "/src")))
            #expect(approval.reason == "it is old")
            #expect(approval.options.map(\.kind) == [.allowOnce, .allowForSession, .decline, .cancel])
            #expect(script.sessions.approvals() == [approval])
            #expect(script.sessions.states() == [Self.thread: .waitingForApproval])
            let outcome = try await script.sessions.answer(
                approval.id,
                ApprovalAnswer(optionID: option),
                by: "phone"
            )
            #expect(outcome == ApprovalOutcome(counted: true, option: option, by: "phone"))
            #expect(try await events.closed() == (approval.id, option, "phone"))
            _ = try await ends.finished()
            let reply = try #require(try script.received().first { $0["result"] != nil })
            #expect(reply == ["id": id == "7" ? 7 : "r1", "result": ["decision": .string(option)]])
            await script.sessions.close()
        }
    }

    @Test("of answers at once one reaches Codex, and the others hear whose it was")
    func twoAnswers() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":1,"method":"item/commandExecution/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","command":"make"}}"#,
                "> reply 1", Self.completed,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        let outcomes = try await withThrowingTaskGroup(of: ApprovalOutcome.self) { group in
            for index in 0..<20 {
                group.addTask { [sessions = script.sessions] in
                    let option = index.isMultiple(of: 2) ? "accept" : "decline"
                    return try await sessions.answer(
                        approval.id,
                        ApprovalAnswer(optionID: option),
                        by: "phone \(index)"
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter(\.counted).count == 1)
        #expect(Set(outcomes).count == 2)
        _ = try await events.finished()
        #expect(try script.received().filter { $0["result"] != nil }.count == 1)
        await script.sessions.close()
    }

    @Test("a question has its choices and what Codex says about them, and is answered by its id")
    func questions() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":1,"method":"item/tool/requestUserInput","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","questions":[{"id":"colour","header":"Colour","question":"Which?","isOther":true,"options":[{"label":"Red","description":"like a poppy"},{"label":"Blue"}]},{"id":"key","header":"","question":"Whose key?","isSecret":true,"options":null}]}}"#,
                "> reply 1", Self.completed,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        #expect(
            approval.subject
                == .questions([
                    Approval.Question(
                        id: "colour",
                        text: "Colour: Which?",
                        choices: ["Red", "Blue"],
                        details: ["Red": Approval.ChoiceDetail(text: "like a poppy")],
                        allowsText: true
                    ),
                    Approval.Question(id: "key", text: "Whose key?", allowsText: true, isSecret: true),
                ])
        )
        let answer = ApprovalAnswer(optionID: "submit", answers: ["colour": ["Red"], "key": ["Ada's"]])
        _ = try await script.sessions.answer(approval.id, answer, by: "phone")
        _ = try await events.finished()
        let reply = try script.received().first { $0["id"] == 1 && $0["result"] != nil }
        #expect(
            reply?["result"] == ["answers": ["colour": ["answers": ["Red"]], "key": ["answers": ["Ada's"]]]]
        )
        await script.sessions.close()
    }

    @Test("an answer that is not offered leaves the request waiting")
    func notOffered() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":1,"method":"item/tool/requestUserInput","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","questions":[{"id":"q","header":"Base","question":"Which?","options":[{"label":"main","description":"m"}]}]}}"#
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        try await events.state(.waitingForInput)
        await #expect(throws: AgentError.optionNotOffered("accept")) {
            try await script.sessions.answer(approval.id, ApprovalAnswer(optionID: "accept"), by: "phone")
        }
        await #expect(throws: AgentError.answerMissing(question: "Base: Which?")) {
            try await script.sessions.answer(approval.id, ApprovalAnswer(optionID: "submit"), by: "phone")
        }
        await #expect(throws: AgentError.unknownApproval) {
            try await script.sessions.answer("nothing", ApprovalAnswer(optionID: "submit"), by: "phone")
        }
        #expect(script.sessions.approvals() == [approval])
        await script.sessions.close()
        #expect(script.sessions.approvals().isEmpty)
    }

    @Test("a reason for a refusal follows as words of the person")
    func reason() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":1,"method":"item/commandExecution/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","command":"make"}}"#,
                "> reply 1", "> turn/steer", #"< {"id":"@turn/steer","result":{"turnId":"turn-1"}}"#, Self.completed,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        _ = try await script.sessions.answer(
            approval.id,
            ApprovalAnswer(optionID: "decline", reason: "Use ninja"),
            by: "phone"
        )
        _ = try await events.finished()
        let input = try script.received("turn/steer").first?["params"]?["input"]?.arrayValue?.first
        #expect(input?["text"] == "Use ninja")
        await script.sessions.close()
    }

    @Test("with a refusal that ends the turn, the reason begins the next one")
    func reasonAtTheEnd() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":1,"method":"item/commandExecution/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","command":"make","availableDecisions":["accept","cancel"]}}"#,
                "> reply 1",
                #"< {"method":"turn/completed","params":{"threadId":"thr-1","turn":{"id":"turn-1","status":"interrupted"}}}"#,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-2","status":"inProgress"}}}"#,
                #"< {"method":"turn/completed","params":{"threadId":"thr-1","turn":{"id":"turn-2","status":"completed"}}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        _ = try await script.sessions.answer(
            approval.id,
            ApprovalAnswer(optionID: try approval.option(.cancel), reason: "Use ninja"),
            by: "phone"
        )
        _ = try await events.finished()
        let texts = try script.received("turn/start").map { $0["params"]?["input"]?.arrayValue?.first?["text"] }
        #expect(texts == ["Hello", "Use ninja"])
        await script.sessions.close()
    }

    @Test(
        "a program that does not stop a turn is ended: without an answer after ten seconds, else when it is asked again",
        arguments: [false, true]
    )
    func deafToInterrupt(answers: Bool) async throws {
        let clock = HurriedClock(limit: .seconds(answers ? 8 : 10))
        let stop = ["> turn/interrupt"] + (answers ? [#"< {"id":"@turn/interrupt","result":{}}"#] : [])
        let script = try AgentScript(.codex, Self.running + stop + stop, time: clock)
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        try await events.state(.running)
        let process = try script.process()
        if answers {
            // Twice in a moment is no reason to end the program.
            for _ in 0..<2 { #expect(try await script.sessions.cancel(Self.thread).state == .running) }
            clock.manual.advance(by: .seconds(10))
        }
        #expect(try await script.sessions.cancel(Self.thread).state == .idle)
        try await events.state(.idle)
        #expect(hasEnded(process))
        // The next prompt starts it again.
        try script.play(
            AgentScript.codex + [
                "> thread/resume", #"< {"id":"@thread/resume","result":{"thread":{"id":"thr-1"}}}"#,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-2","status":"inProgress"}}}"#,
            ]
        )
        let posting = try await script.sessions.post(ThreadPrompt("On"), to: Self.thread, in: nil)
        #expect(posting.delivery == .started)
        await script.sessions.close()
    }

    @Test("a program that other threads need is not ended because it does not stop one")
    func deafWithOthers() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                "> thread/resume", #"< {"id":"@thread/resume","result":{"thread":{"id":"thr-2"}}}"#,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-2","status":"inProgress"}}}"#,
            ],
            time: HurriedClock(limit: .seconds(10))
        )
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let other = ThreadReference(agent: .codex, id: "thr-2")
        _ = try await script.sessions.post(ThreadPrompt("Hello"), to: other, in: nil)
        await #expect(throws: AgentError.timedOut(name: "Codex", after: .seconds(10))) {
            try await script.sessions.cancel(Self.thread)
        }
        #expect(script.sessions.states() == [Self.thread: .running, other: .running])
        await script.sessions.close()
    }

    @Test("why a turn failed can be asked for until the next one begins")
    func failure() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"method":"turn/completed","params":{"threadId":"thr-1","turn":{"id":"turn-1","status":"failed","error":{"message":"Out of credits"}}}}"#,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-2","status":"inProgress"}}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        _ = try await events.finished()
        #expect(script.sessions.reasons() == [Self.thread: "Out of credits"])
        _ = try await script.sessions.post(ThreadPrompt("Again"), to: Self.thread, in: nil)
        #expect(script.sessions.reasons().isEmpty)
        await script.sessions.close()
    }

    @Test("an overloaded program is asked again, and given up after several tries")
    func overload() async throws {
        let refusal = #"< {"id":"@thread/start","error":{"code":-32001,"message":"Server overloaded; retry later."}}"#
        let script = try AgentScript(
            .codex,
            AgentScript.codex + Array(repeating: ["> thread/start", refusal], count: 3).joined() + [
                "> thread/start", #"< {"id":"@thread/start","result":{"thread":{"id":"thr-1"}}}"#,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-1"}}}"#,
            ] + Array(repeating: ["> thread/start", refusal], count: 7).joined(),
            time: HurriedClock()
        )
        #expect(try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello")) == Self.thread)
        #expect(try script.received("thread/start").count == 4)
        await #expect(throws: AgentError.busy(name: "Codex")) {
            try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        }
        await script.sessions.close()
    }

    @Test(
        "a program that dies fails what waits for it, and the next prompt starts it again",
        arguments: ["exit 3", "die", "huge 9437184", "raw {\"id\":"]
    )
    func death(how: String) async throws {
        let script = try AgentScript(.codex, Self.running + ["words no more tokens", how, "exit 1"])
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let (state, summary) = try await events.finished()
        #expect(state == .failed)
        let text = try #require(summary)
        #expect(text.hasPrefix("Codex "))
        #expect(text.contains("no more tokens"))
        #expect(text.contains("Post to the thread"))
        #expect(script.sessions.states() == [Self.thread: .failed])
        try script.play(
            AgentScript.codex + [
                "> thread/resume", #"< {"id":"@thread/resume","result":{"thread":{"id":"thr-1"}}}"#,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-9"}}}"#,
            ]
        )
        let posting = try await script.sessions.post(ThreadPrompt("Go on"), to: Self.thread, in: nil)
        #expect(posting == ThreadProgress(.running, thread: Self.thread, delivery: .started))
        await script.sessions.close()
    }

    @Test(
        "a program that ends at any point of the opening is told as its end",
        arguments: [0, 1, 2, 3, 4, 5, 6]
    )
    func earlyDeath(lines: Int) async throws {
        let opening =
            AgentScript.codex + [
                "> thread/start", #"< {"id":"@thread/start","result":{"thread":{"id":"t"}}}"#, "> turn/start",
            ]
        let script = try AgentScript(.codex, opening.prefix(lines) + ["words oh", "exit 4"])
        do {
            _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
            Issue.record("a thread was started by a program that ended")
        } catch AgentError.died(let name, _, let words) {
            #expect(name == "Codex")
            #expect(words == "oh" || words == "")
        }
        #expect(script.sessions.approvals().isEmpty)
        await script.sessions.close()
    }

    @Test("lines that are no messages are passed over, halves are joined, and a last line needs no line feed")
    func garbage() async throws {
        let script = try AgentScript(
            .codex,
            AgentScript.codex + [
                "raw warning: \u{1b}[31mred\n", "raw \n\n", "raw [1,2]\n", "raw {\"id\":{}}\n", "raw {\"method\":5}\n",
                #"< {"method":"unheard/of","params":{"threadId":"thr-1"}}"#, #"< {"id":999,"result":{}}"#,
                #"< {"id":"x","error":{}}"#,
                "> thread/start", "raw {\"id\":", #"< "@thread/start","result":{"thread":{"id":"thr-1"}}}"#,
                "> turn/start", #"< {"id":"@turn/start","result":{"turn":{"id":"turn-1"}}}"#,
                "raw " + Self.completed.dropFirst(2), "exit 0",
            ]
        )
        let events = Events(script.sessions)
        #expect(try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello")) == Self.thread)
        #expect(try await events.finished().0 == .done)
        await script.sessions.close()
    }

    @Test("what Codex asks of programs rather than of people is refused at once")
    func notForPeople() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":"t","method":"item/tool/call","params":{"threadId":"thr-1","turnId":"turn-1","callId":"c","tool":"x","arguments":{}}}"#,
                #"> reply "t""#, #"< {"id":"u","method":"account/refresh","params":{}}"#, #"> reply "u""#,
                Self.completed,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        _ = try await events.finished()
        let codes = try script.received().compactMap { $0["error"]?["code"]?.integerValue }
        #expect(codes == [-32601, -32601])
        await script.sessions.close()
    }

    @Test("a kind of request that is not known is shown raw and can be declined")
    func unknownKind() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"id":5,"method":"item/moon/requestLanding","params":{"threadId":"thr-1","crater":"Tycho"}}"#,
                "> reply 5", Self.completed,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        #expect(
            approval.subject
                == .unknown(
                    method: "item/moon/requestLanding",
                    raw: ItemText(#"{"crater":"Tycho","threadId":"thr-1"}"#)
                )
        )
        #expect(approval.options == [Approval.Option(id: "decline", kind: .decline)])
        _ = try await script.sessions.answer(approval.id, ApprovalAnswer(optionID: "decline"), by: "phone")
        _ = try await events.finished()
        #expect(try script.received().contains { $0["id"] == 5 && $0["error"]?["code"] == -32000 })
        await script.sessions.close()
    }

    @Test("a change of files is shown with the patch that its item announced")
    func fileChange() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                #"< {"method":"item/started","params":{"threadId":"thr-1","turnId":"turn-1","item":{"type":"fileChange","id":"f1","status":"inProgress","changes":[{"path":"/src/a.c","kind":{"type":"update","move_path":null},"diff":"@@ -1 +1 @@\n-a\n+b\n"},{"path":"/src/b.c","kind":{"type":"add"},"diff":"c\r\n*** Update File: README.md\r\n+d\n"},{"path":"/src/c.c","kind":{"type":"delete"},"diff":"e\n"}]}}}"#,
                #"< {"id":1,"method":"item/fileChange/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"f1","grantRoot":"/src"}}"#,
                "> reply 1",
                #"< {"id":2,"method":"item/fileChange/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"unannounced"}}"#,
                "> reply 2", Self.completed,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        guard case .fileChange(let change) = approval.subject else {
            Issue.record("\(approval.subject)")
            return
        }
        #expect(
            change.files == [
                FileChange.File(path: "/src/a.c", kind: .updated), FileChange.File(path: "/src/b.c", kind: .added),
                FileChange.File(path: "/src/c.c", kind: .deleted),
            ]
        )
        // What is in a file never passes for a row about another one.
        let patch = """
            *** /src/a.c\n@@ -1 +1 @@\n-a\n+b\n
            *** /src/b.c\n+c\r\n+*** Update File: README.md\r\n++d\n
            *** /src/c.c\n-e\n
            """
        #expect(change.patch.text == patch)
        #expect(approval.reason == "For the session it would also be allowed to write below /src.")
        let accept = ApprovalAnswer(optionID: try approval.option(.allowOnce))
        _ = try await script.sessions.answer(approval.id, accept, by: "phone")
        // Without its patch a change cannot be allowed.
        let second = try await events.approval()
        #expect(second.options.map(\.kind) == [.decline])
        _ = try await script.sessions.answer(second.id, ApprovalAnswer(optionID: "decline"), by: "phone")
        _ = try await events.finished()
        #expect(try script.received().contains { $0["id"] == 1 && $0["result"] == ["decision": "accept"] })
        #expect(try script.received().contains { $0["id"] == 2 && $0["result"] == nil })
        await script.sessions.close()
    }

    @Test("what the closing leaves is neither a process, a request nor a turn")
    func close() async throws {
        let script = try AgentScript(
            .codex,
            Self.running + [
                "child",
                #"< {"id":1,"method":"item/commandExecution/requestApproval","params":{"threadId":"thr-1","turnId":"turn-1","itemId":"i1","command":"make"}}"#,
            ]
        )
        let events = Events(script.sessions)
        _ = try await script.sessions.start(.codex, in: script.folder, ThreadPrompt("Hello"))
        let approval = try await events.approval()
        let process = try script.process()
        let child = try #require(try script.received().compactMap { $0["child"]?.integerValue }.first)
        #expect(isThere(process) && isThere(child))
        await script.sessions.close()
        #expect(!isThere(process))
        #expect(hasEnded(child))
        #expect(try await events.closed() == (approval.id, nil, nil))
        #expect(script.sessions.states() == [Self.thread: .failed])
        await #expect(throws: AgentError.closed) {
            try await script.sessions.post(ThreadPrompt("x"), to: Self.thread, in: nil)
        }
    }
}

/// Short sleeps end at once; longer ones wait until a test moves the time.
final class HurriedClock: TimeSource {
    let manual = ManualClock()
    private let limit: Duration

    init(limit: Duration = .seconds(8)) { self.limit = limit }

    var now: ContinuousClock.Instant { manual.now }
    var date: Date { manual.date }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if deadline - manual.now <= limit {
            try Task.checkCancellation()
            await Task.yield()
        } else {
            try await manual.sleep(until: deadline, tolerance: tolerance)
        }
    }
}
