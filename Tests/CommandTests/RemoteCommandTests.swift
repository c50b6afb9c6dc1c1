import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("What commands for a computer ask and print", .timeLimit(.minutes(4)))
struct RemoteCommandTests {
    private func run(
        _ words: [String],
        answers: [String: JSONValue],
        console: TestConsole = TestConsole(),
        status: Int32 = 0
    ) async throws -> (output: String, requests: [ControlRequest]) {
        try await PreparedRole.run({ answers[$0.params["method"]?.stringValue ?? $0.method] ?? .null }) { state, role in
            #expect(await console.run(words + ["--state", state]) == status, "\(console.error)")
            return (output: console.output, requests: role.requests)
        }
    }

    @Test("the queue names each command's computer and what it is to do")
    func queue() async throws {
        let answers: [String: JSONValue] = [
            "queue.list": [
                "commands": [
                    [
                        "id": "q-1", "desktopId": "pc-1", "method": "file.createDirectory", "timestamp": 0,
                        "status": "pending", "retries": 0, "parameters": "{\"path\":\"~/a\u{1B}[2J\"}",
                        "errorMessage": .null, "expiresAt": 0,
                    ],
                    [
                        "id": "q-2", "desktopId": "pc-2", "method": "clipboard.set", "timestamp": 0,
                        "status": "failed", "retries": 0, "parameters": "", "expiresAt": 0,
                    ],
                ]
            ],
            "devices.list": ["devices": [Sample.wire(["id": "pc-1", "pcPeerId": "pc-1", "name": "Desk"])]],
        ]
        let (output, _) = try await run(["queue"], answers: answers)
        #expect(
            output == """
                QUEUED  COMPUTER  METHOD                PARAMETERS           STATUS   TRIES  ID   WHY
                never   Desk      file.createDirectory  {"path":"~/a\\e[2J"}  pending  0      q-1
                never   pc-2      clipboard.set                              failed   0      q-2

                """
        )
        let (json, requests) = try await run(["queue", "list", "--json"], answers: answers)
        #expect(try JSONValue(parsing: json.utf8) == answers["queue.list"])
        #expect(requests.map(\.method) == ["queue.list"])
    }

    @Test("--computer names the computer in every command of a phone")
    func computer() async throws {
        for words in [
            ["clipboard"], ["files", "ls"], ["terminal", "list"], ["screen", "list"], ["call", "system.ping"],
        ] {
            let answers: [String: JSONValue] = [
                "clipboard.get": ["content": "x"], "file.listDirectory": ["entries": []],
                "terminal.list": ["sessions": []], "display.list": ["displays": []],
            ]
            let (_, requests) = try await run(words + ["--computer", "Desk"], answers: answers)
            #expect(requests.first?.params["device"] == "Desk")
        }
        let cleared: [String: JSONValue] = ["queue.clear": ["removed": 1]]
        let (_, requests) = try await run(["queue", "clear", "--computer", "Desk"], answers: cleared)
        #expect(requests.first?.params == ["device": "Desk"])
    }

    @Test("--address is where a typed code's computer is asked for")
    func address() async throws {
        let answers = ["pair.code": Sample.wire([:])]
        let (_, requests) = try await run(["pair", "code", "482913", "--address", "ws://hub:9001"], answers: answers)
        #expect(requests.first?.params["url"] == "ws://hub:9001")
    }

    @Test("terminals are listed and ended by subcommands")
    func terminals() async throws {
        let answers: [String: JSONValue] = [
            "terminal.list": [
                "sessions": [
                    ["id": "t-1", "shell": "/bin/bash", "cwd": "/srv", "alive": true],
                    [
                        "id": "t-2", "shell": "/bin/bash", "cwd": "/srv", "alive": true, "program": "make",
                        "currentCwd": "/home", "lastLine": "[3/9]",
                    ],
                    ["id": "t-3", "shell": "/bin/zsh", "cwd": "/", "alive": false],
                ]
            ]
        ]
        #expect(
            try await run(["terminal", "list"], answers: answers).output == """
                ID   RUNS         FOLDER  LAST LINE
                t-1  bash         /srv
                t-2  make         /home   [3/9]
                t-3  (zsh ended)  /

                """
        )
        let (output, requests) = try await run(["terminal", "end", "t-1"], answers: [:])
        #expect(output == "Ended t-1.\n")
        #expect(requests.first?.params["params"] == ["sessionId": "t-1"])
    }

    @Test("a terminal that is left says how to come back, and its shell's status is the command's")
    func terminalEnd() async throws {
        let left = TestConsole()
        _ = try await run(
            ["terminal"],
            answers: ["terminal.open": ["detached": true, "sessionId": "t-1"]],
            console: left
        )
        #expect(left.error == "Left running. Come back with: tandem terminal attach t-1\n")
        let ended: [String: JSONValue] = ["terminal.open": ["sessionId": "t-1", "exitCode": 7]]
        #expect(
            try await run(["terminal", "attach", "t-1"], answers: ended, status: 7).requests.first?.params["sessionId"]
                == "t-1"
        )
        _ = try await run(
            ["terminal", "open"],
            answers: ["terminal.open": ["sessionId": "t-1", "exitCode": 137, "signal": 9]],
            status: 137
        )
    }

    @Test("a clipboard's history is listed, bounded, and said to be off where it is")
    func history() async throws {
        let entry: JSONValue = ["id": 1, "type": "text", "content": "a\nb", "size": 3, "timestamp": 0]
        let on: [String: JSONValue] = ["clipboard.getHistory": ["enabled": true, "history": [entry], "total": 1]]
        let (output, requests) = try await run(["clipboard", "history", "--limit", "5"], answers: on)
        #expect(output == "WHEN   KIND  SIZE  CONTENT\nnever  text  3 B   a\\nb\n")
        #expect(requests.first?.params["params"] == ["limit": 5])
        let off: [String: JSONValue] = ["clipboard.getHistory": ["enabled": false, "history": []]]
        #expect(
            try await run(["clipboard", "history"], answers: off).output
                == "The computer keeps no history of its clipboard.\n"
        )
        let (cleared, asked) = try await run(["clipboard", "history", "clear"], answers: [:])
        #expect(cleared == "The history is empty now.\n")
        #expect(asked.first?.params["method"] == "clipboard.clearHistory")
        _ = try await run(["clipboard", "history", "--limit", "0"], answers: [:], status: 2)
    }

    @Test("a watched clipboard's changes are printed as they come; one whose content is not told says how to get it")
    func changes() async throws {
        let changes: [JSONValue] = [["type": "text", "content": "one"], ["type": "image"], ["type": "unknown"]]
        let (console, program) = (TestConsole(), TestConsole())
        try await PreparedRole.run({ _ in .null }, reporting: changes) { state, _ in
            #expect(await console.run("clipboard", "watch", "--state", state) == 0)
            #expect(await program.run("clipboard", "watch", "--json", "--state", state) == 0)
        }
        #expect(console.output == "one\n")
        #expect(
            console.error == """
                Watching. It ends with Ctrl-C.
                It changed, and holds image. Get it with: tandem clipboard get --type image
                It changed, and holds nothing that can be asked for.

                """
        )
        #expect(program.output == changes.map { $0.canonicalText + "\n" }.joined())
        #expect(program.error == "")
    }
}
