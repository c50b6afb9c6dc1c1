import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import CommandServer
@testable import Commands
@testable import Terminal
@testable import TerminalHost

@Suite("Terminals", .timeLimit(.minutes(5)))
struct TerminalSkillTests {
    private let ada = TerminalFixture.ada
    private let bo = TerminalFixture.bo

    private func stdout(_ data: String, _ seq: Int64, project: JSONValue = .null) -> RemoteEvent {
        RemoteEvent(
            "terminal.stdout",
            ["sessionId": "s-1", "projectId": project, "data": .string(data), "seq": .integer(seq)]
        )
    }

    @Test("a terminal is created as asked, and its output numbered from 1")
    func create() async throws {
        let fixture = TerminalFixture()
        let result = try await fixture.call(
            "terminal.create",
            ["shell": "bash", "cwd": "~/x", "env": ["A": "b"], "projectId": "p", "cols": 120, "rows": 40]
        )
        #expect(
            result == [
                "sessionId": "s-1", "pid": 4321, "shell": "/bin/bash", "cwd": "/home/ada", "projectId": "p",
                "createdAt": 1_790_000_000_000,
            ]
        )
        #expect(
            fixture.factory.requests == [
                TerminalRequest(
                    shell: "bash",
                    environment: ["A": "b"],
                    folder: "~/x",
                    size: try TerminalSize(columns: 120, rows: 40)
                )
            ]
        )
        let terminal = try #require(fixture.factory.terminal(0))
        terminal.say("hi\r\n")
        #expect(await fixture.outlet.events(1, to: ada) == [stdout("hi\r\n", 1, project: "p")])
        terminal.say("again")
        #expect(await fixture.outlet.events(2, to: ada).last == stdout("again", 2, project: "p"))
    }

    /// Starts a shell only when its caller is cancelled, which it does not notice.
    private final class LateTerminals: PseudoTerminalFactory {
        /// Never moved.
        let clock = ManualClock()
        let terminal = FakeTerminal()

        func start(_ request: TerminalRequest) async throws -> any PseudoTerminal {
            _ = await clock.pause(for: .seconds(1))
            return terminal
        }
    }

    @Test("a shell that is being started while its phone loses the right is ended, and its call fails")
    func cancelledWhileStarting() async throws {
        let factory = LateTerminals()
        let skill = TerminalSkill(factory: factory, outlet: StallingOutlet(), time: ManualClock())
        let caller = TerminalFixture.caller(ada)
        let created = Task { try await skill.call("terminal.create", [:], as: caller) }
        await factory.clock.sleepers()
        created.cancel()
        await #expect(throws: (any Error).self) { try await created.value }
        #expect(factory.terminal.isHungUp)
        #expect(await skill.sessions.isEmpty)
        await skill.close()
    }

    @Test("without wishes it is the login shell at home, 80 by 24")
    func defaults() async throws {
        let fixture = TerminalFixture()
        try await fixture.call("terminal.create")
        #expect(fixture.factory.requests == [TerminalRequest(size: try TerminalSize(columns: 80, rows: 24))])
    }

    @Test(
        "what does not fit is refused with the documented text or the field's name",
        arguments: [
            ("terminal.create", ["cols": 0], "invalid_dimensions"),
            ("terminal.create", ["rows": 1001], "invalid_dimensions"),
            ("terminal.create", ["cols": "80"], "invalid_dimensions"),
            ("terminal.create", ["shell": 5], "The parameter shell must be a text of at most 4096 bytes."),
            ("terminal.create", ["cwd": "/a\0b"], "The parameter cwd must be a text without NUL."),
            ("terminal.create", ["env": ["A=B": "c"]], TerminalError.badEnvironment.description),
            ("terminal.create", ["env": ["A": 1]], TerminalError.badEnvironment.description),
            ("terminal.create", ["env": ["A": "x\0y"]], TerminalError.badEnvironment.description),
            ("terminal.create", ["env": ["1A": "x"]], TerminalError.badEnvironment.description),
            ("terminal.create", ["env": "A=B"], TerminalError.badEnvironment.description),
            ("terminal.stdin", [:], "session_id_required"),
            ("terminal.stdin", ["sessionId": 7], "session_id_required"),
            ("terminal.stdin", ["sessionId": "no", "data": "x"], "session_not_found"),
            ("terminal.stdin", ["sessionId": "s-1"], "The parameter data must be a text of at most 65536 bytes."),
            (
                "terminal.stdin", ["sessionId": "s-1", "data": "x", "inputSeq": 0],
                "The parameter inputSeq must be a whole number from 1 to 9007199254740992."
            ),
            ("terminal.resize", ["sessionId": "s-1", "cols": 80], "invalid_dimensions"),
            ("terminal.resize", ["sessionId": "s-1", "cols": 80, "rows": -1], "invalid_dimensions"),
            ("terminal.close", ["sessionId": "no"], "session_not_found"),
            ("terminal.history", ["sessionId": "no"], "session_not_found"),
            (
                "terminal.history", ["sessionId": "s-1", "fromSeq": -1],
                "The parameter fromSeq must be a whole number from 0 to 9007199254740992."
            ),
        ] as [(String, JSONValue, String)]
    )
    func refused(method: String, params: JSONValue, message: String) async throws {
        let fixture = TerminalFixture()
        _ = try await fixture.create()
        await #expect(throws: RemoteFailure(code: -32602, message: message)) {
            try await fixture.call(method, params)
        }
    }

    @Test("too much typed at once is refused before it reaches the shell")
    func tooMuch() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        let data = String(repeating: "x", count: 65537)
        await #expect(throws: RemoteFailure.self) {
            try await fixture.call("terminal.stdin", ["sessionId": "s-1", "data": .string(data)])
        }
        #expect(terminal.typed == "")
    }

    @Test("a shell that is not allowed is refused with the documented text")
    func shellNotAllowed() async throws {
        let fixture = TerminalFixture(failure: .shellNotAllowed)
        await #expect(throws: RemoteFailure(code: -32602, message: "shell_not_allowed")) {
            try await fixture.call("terminal.create", ["shell": "vim"])
        }
        await #expect(throws: RemoteFailure(code: -32602, message: "shell_not_allowed")) {
            for _ in 0..<9 { try await fixture.call("terminal.create", ["shell": "vim"]) }
        }
    }

    @Test("eight terminals live at a time; closing one makes room, and its end is told")
    func limit() async throws {
        let fixture = TerminalFixture()
        for _ in 0..<8 { _ = try await fixture.create() }
        await #expect(throws: RemoteFailure(code: -32005, message: "max_concurrent_sessions_exceeded")) {
            try await fixture.call("terminal.create")
        }
        #expect(try await fixture.call("terminal.close", ["sessionId": "s-3"]) == ["ok": true])
        #expect(fixture.factory.terminal(2)?.isHungUp == true)
        #expect(
            await fixture.outlet.events(1, to: ada) == [
                RemoteEvent("terminal.exit", ["sessionId": "s-3", "projectId": nil, "exitCode": 129, "signal": 1])
            ]
        )
        _ = try await fixture.create()
        await #expect(throws: RemoteFailure(code: -32602, message: "session_not_found")) {
            try await fixture.call("terminal.close", ["sessionId": "s-3"])
        }
    }

    @Test("a shell that survives the hang-up is ended by force")
    func force() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        terminal.ignoreHangUp()
        async let closed = fixture.call("terminal.close", ["sessionId": "s-1"])
        await fixture.clock.sleeper(for: TerminalSession.killDelay)
        fixture.clock.advance(by: TerminalSession.killDelay)
        #expect(try await closed == ["ok": true])
        #expect(await fixture.outlet.events(1, to: ada).last?.members["signal"] == 9)
    }

    @Test("an exit is told once, after the last output, and the session can be read but not used")
    func exits() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        terminal.say("bye")
        terminal.end(.exited(code: 3))
        let events = await fixture.outlet.events(2, to: ada)
        #expect(
            events == [
                stdout("bye", 1),
                RemoteEvent("terminal.exit", ["sessionId": "s-1", "projectId": nil, "exitCode": 3, "signal": nil]),
            ]
        )
        await #expect(throws: RemoteFailure(code: -32602, message: "session_not_alive")) {
            try await fixture.call("terminal.stdin", ["sessionId": "s-1", "data": "x"])
        }
        await #expect(throws: RemoteFailure(code: -32602, message: "session_not_alive")) {
            try await fixture.call("terminal.resize", ["sessionId": "s-1", "cols": 1, "rows": 1])
        }
        #expect(
            try await fixture.call("terminal.history", ["sessionId": "s-1"])
                == ["chunks": [["seq": 1, "data": "bye"]], "truncated": false]
        )
        #expect(try await fixture.call("terminal.list")["sessions"]?.arrayValue?.first?["alive"] == false)
        #expect(fixture.outlet.sent(to: ada).count == 2)
    }

    @Test("a program that keeps the terminal after the shell's end has a moment, then it is over")
    func grace() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        terminal.endShell(.exited(code: 0))
        terminal.say("late")
        _ = await fixture.outlet.events(1, to: ada)
        await fixture.clock.sleeper(for: TerminalSession.grace)
        #expect(!terminal.isHungUp)
        fixture.clock.advance(by: TerminalSession.grace)
        #expect(await fixture.outlet.events(2, to: ada).last?.members["exitCode"] == 0)
        #expect(terminal.isHungUp)
    }

    @Test("listing shows every terminal and lets another phone take over")
    func takeOver() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create(["projectId": "p"])
        terminal.say("one")
        _ = await fixture.outlet.events(1, to: ada)
        #expect(
            try await fixture.call("terminal.list", from: bo) == [
                "sessions": [
                    [
                        "id": "s-1", "shell": "/bin/bash", "cwd": "/home/ada", "alive": true, "lastSeq": 1,
                        "projectId": "p", "createdAt": 1_790_000_000_000, "exitCode": nil, "signal": nil,
                        "cols": 80, "rows": 24, "writtenAt": 1_790_000_000_000, "lastLine": "one",
                    ]
                ]
            ]
        )
        terminal.say("two")
        #expect(await fixture.outlet.events(1, to: bo) == [stdout("two", 2, project: "p")])
        #expect(await fixture.outlet.events(2, to: ada).last == stdout("two", 2, project: "p"))
        try await fixture.call("terminal.stdin", ["sessionId": "s-1", "data": "ls\r"], from: bo)
        #expect(terminal.typed == "ls\r")
        try await fixture.call("terminal.unsubscribe", ["sessionId": "s-1"], from: bo)
        terminal.say("three")
        _ = await fixture.outlet.events(3, to: ada)
        #expect(fixture.outlet.sent(to: bo).count == 1)
    }

    @Test("a phone that only looks, or shows one terminal, is not sent the others")
    func chosen() async throws {
        let fixture = TerminalFixture()
        let first = try await fixture.create()
        let second = try await fixture.create()
        try await fixture.call("terminal.list", ["subscribe": false], from: bo)
        try await fixture.call("terminal.list", ["sessionId": "s-2"], from: bo)
        first.say("a")
        second.say("b")
        _ = await fixture.outlet.events(2, to: ada)
        #expect(await fixture.outlet.events(1, to: bo).map { $0.members["sessionId"] } == ["s-2"])
    }

    @Test("a phone that is away loses nothing of history, and is sent what comes after it lists again")
    func away() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        fixture.outlet.setAway(ada)
        terminal.say("lost")
        try await fixture.until { fixture.outlet.refused > 0 }
        fixture.outlet.setAway(ada, false)
        try await fixture.until {
            try await fixture.call("terminal.list")
            terminal.say(".")
            return !fixture.outlet.sent(to: ada).isEmpty
        }
        let first = try #require(fixture.outlet.sent(to: ada).first?.members["seq"]?.integerValue)
        #expect(first > 1)
        let history = try TerminalHistory(
            wire: try await fixture.call("terminal.history", ["sessionId": "s-1", "fromSeq": 1])
        )
        #expect(history.chunks.map(\.data).joined().hasPrefix("lost"))
        #expect(!history.isTruncated)
    }

    @Test("resizing reaches the terminal")
    func resize() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        try await fixture.call("terminal.resize", ["sessionId": "s-1", "cols": 1000, "rows": 1])
        #expect(terminal.sizes == [try TerminalSize(columns: 1000, rows: 1)])
    }

    @Test("a day without input and output ends a terminal; a key keeps it")
    func idle() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        for hour in 0..<30 {
            if hour == 6 { try await fixture.call("terminal.stdin", ["sessionId": "s-1", "data": "x"]) }
            await fixture.clock.sleeper(for: TerminalSession.idleCheck)
            #expect(!terminal.isHungUp)
            fixture.clock.advance(by: TerminalSession.idleCheck)
        }
        #expect(await fixture.outlet.events(1, to: ada).last?.name == "terminal.exit")
        #expect(terminal.isHungUp)
    }

    @Test("ended terminals are kept for a while, the oldest forgotten first")
    func endedKept() async throws {
        let fixture = TerminalFixture()
        for index in 0..<12 {
            let terminal = try await fixture.create()
            terminal.end(.exited(code: 0))
            _ = await fixture.outlet.events(index + 1, to: ada)
        }
        let list = try await fixture.call("terminal.list")["sessions"]?.arrayValue ?? []
        #expect(list.compactMap { $0["id"]?.stringValue } == (4...12).map { "s-\($0)" })
    }

    @Test("when the computer's program stops, every shell ends, and nothing starts any more")
    func shutDown() async throws {
        let fixture = TerminalFixture()
        let terminal = try await fixture.create()
        await fixture.skill.close()
        #expect(terminal.isHungUp)
        for method in ["terminal.create", "terminal.stdin"] {
            await #expect(throws: RemoteFailure(code: -32603, message: "pty_manager_stopped")) {
                try await fixture.call(method, ["sessionId": "s-1", "data": "x"])
            }
        }
    }

    @Test("every method answers in both forms of the envelope")
    func dialects() async throws {
        let calls: [(String, String, String)] = [
            (
                "terminal.create", #"{"shell":"bash","cwd":"/home/ada","env":{"A":"b"}}"#,
                #"{"createdAt":1790000000000,"cwd":"/home/ada","pid":4321,"projectId":null,"sessionId":"s-1","shell":"/bin/bash"}"#
            ),
            ("terminal.stdin", #"{"sessionId":"s-1","data":"ls\r"}"#, #"{"ok":true}"#),
            ("terminal.resize", #"{"sessionId":"s-1","cols":100,"rows":30,"projectId":"p"}"#, #"{"ok":true}"#),
            ("terminal.history", #"{"sessionId":"s-1","fromSeq":0}"#, #"{"chunks":[],"truncated":false}"#),
            ("terminal.ack", #"{"sessionId":"s-1","seq":0}"#, #"{"ok":true}"#),
            (
                "terminal.list", #"{}"#,
                #"{"sessions":[{"alive":true,"cols":100,"createdAt":1790000000000,"cwd":"/home/ada","exitCode":null,"id":"s-1","lastSeq":0,"projectId":null,"rows":30,"shell":"/bin/bash","signal":null}]}"#
            ),
            ("terminal.unsubscribe", #"{"sessionId":"s-1"}"#, #"{"ok":true}"#),
            ("terminal.close", #"{"sessionId":"s-1"}"#, #"{"ok":true}"#),
        ]
        let asObject = TerminalFixture()
        let asText = TerminalFixture()
        for (method, params, result) in calls {
            let object =
                #"{"type":"chainlesschain:command:request","payload":{"id":"\#(method)","method":"\#(method)","params":\#(params),"auth":{"mobileDid":"did:key:z6MkAda"}}}"#
            #expect(
                try await answer(object, asObject)
                    == #"{"payload":{"id":"\#(method)","result":\#(result)},"type":"chainlesschain:command:response"}"#
            )
            let inner =
                #"{"jsonrpc":"2.0","id":"\#(method)","method":"\#(method)","params":\#(params),"auth":{"did":"did:key:z6MkAda","signature":"c2ln","timestamp":1790000000000,"nonce":"n-1"}}"#
            let text = JSONValue.object(["type": "chainlesschain:command:request", "payload": .string(inner)])
            let answered = try JSONValue(parsing: try await answer(text.canonicalText, asText).utf8)
            #expect(
                answered["payload"]?.stringValue
                    == #"{"error":null,"id":"\#(method)","jsonrpc":"2.0","result":\#(result)}"#
            )
        }
    }

    private func answer(_ envelope: String, _ fixture: TerminalFixture) async throws -> String {
        let request = try CommandRequest(envelope: JSONValue(parsing: envelope.utf8))
        let response = await fixture.router.answer(request, from: TerminalFixture.caller(ada))
        return response.envelope(form: request.form).canonicalText
    }
}
