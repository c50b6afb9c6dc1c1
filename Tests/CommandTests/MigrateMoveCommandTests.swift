import Control
import Foundation
import Kernel
import MigrationClient
import Testing

@testable import TandemCommands

@Suite("The commands that move a phone", .timeLimit(.minutes(4)))
struct MigrateMoveCommandTests {
    private struct Outcome {
        var status: Int32
        var output: String
        var error: String
        var requests: [ControlRequest]
    }

    private static func state(_ step: String, _ members: [String: JSONValue] = [:]) -> JSONValue {
        .object(
            [
                "step": .string(step), "addresses": [], "dials": false, "isAgreed": false, "isLinked": false,
                "canStartAgain": false,
                "fraction": 0, "doneBytes": 0,
                "totalBytes": 0,
            ].merging(members) { $1 }
        )
    }

    private func run(
        _ words: [String],
        console: TestConsole = TestConsole(),
        answer: @escaping @Sendable (ControlRequest) throws -> JSONValue
    ) async throws -> Outcome {
        try await PreparedRole.run(answer) { state, role in
            let status = await console.run(["migrate"] + words + ["--state", state])
            return Outcome(status: status, output: console.output, error: console.error, requests: role.requests)
        }
    }

    @Test("the password comes from the environment or an open descriptor, and no argument takes it")
    func secrets() async throws {
        let done = Self.state("done", ["role": "old", "path": "/tmp/move.enc"])
        let given = TestConsole(environment: ["TANDEM_MIGRATE_PASSWORD": "correct horse battery"])
        let shown = try await run(["export", "/tmp/move.enc"], console: given) { _ in done }
        #expect(shown.status == 0)
        #expect(shown.requests.map(\.method) == ["migrate.export", "migrate.watch"])
        let asked: JSONValue = ["path": "/tmp/move.enc", "password": "correct horse battery", "journalOnly": false]
        #expect(shown.requests.first?.params == asked)
        #expect(shown.output.contains("/tmp/move.enc has everything") && !shown.output.contains("horse"))

        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("by descriptor\nnot this\n".utf8))
        let descriptor = "\(pipe.fileHandleForReading.fileDescriptor)"
        let read = try await run(["export", "/tmp/move.enc", "--journal", "--password-fd", descriptor]) { _ in done }
        #expect(read.requests.first?.params["password"] == "by descriptor")
        #expect(read.requests.first?.params["journalOnly"] == true)
        #expect(!read.output.contains("migrate keep"), "the phone goes on")

        let ended = try await run(["export", "/tmp/move.enc", "--journal"], console: TestConsole()) { _ in done }
        #expect(ended.status == 1 && ended.requests.isEmpty)
        #expect(ended.error.contains("No password was given, and nothing was done"))
        #expect(ended.error.contains("--password-fd or $TANDEM_MIGRATE_PASSWORD"))

        let refused = try await run(["export", "/tmp/move.enc", "--password", "x"]) { _ in done }
        #expect(refused.status == 2 && refused.requests.isEmpty)
    }

    @Test("without a terminal a phone's data is replaced only with --yes, and then once it was proved")
    func restore() async throws {
        let ready = Self.state("ready", ["role": "new", "path": "/tmp/move.enc"])
        let environment = ["TANDEM_MIGRATE_PASSWORD": "correct horse battery"]
        for words in [["restore", "/tmp/move.enc"], ["receive"]] {
            let refused = try await run(words, console: TestConsole(environment: environment)) { _ in ready }
            #expect(refused.status == 2 && refused.requests.isEmpty)
        }
        let agreed = try await run(
            ["restore", "/tmp/move.enc", "--yes"],
            console: TestConsole(environment: environment)
        ) { _ in ready }
        #expect(agreed.status == 0)
        #expect(agreed.requests.map(\.method) == ["migrate.restore", "migrate.watch", "migrate.agree"])
        #expect(agreed.output == "Start this phone's program again to put it into place.\n")

        let person = TestConsole(environment: environment, terminals: [.input, .error], input: ["no\n"])
        let declined = try await run(["restore", "/tmp/move.enc"], console: person) { _ in ready }
        #expect(declined.status == 1)
        #expect(declined.requests.map(\.method) == ["migrate.restore", "migrate.watch", "migrate.cancel"])
    }

    @Test("where the phone's program starts itself again the command waits for it, and says how it ended")
    func startsAgain() async throws {
        let environment = ["TANDEM_MIGRATE_PASSWORD": "correct horse battery"]
        let ready = Self.state("ready", ["role": "new", "isAgreed": true, "canStartAgain": true])
        let undo: JSONValue = ["until": 1_796_464_800_000, "since": 1_795_860_000_000, "changes": 0]
        func end(of change: String, _ failure: JSONValue) -> JSONValue {
            Self.state(
                "idle",
                ["canStartAgain": true, "undo": undo, "lastStart": ["change": .string(change), "failure": failure]]
            )
        }
        func moves(_ words: [String], to end: JSONValue?) async throws -> Outcome {
            let looks = LatestValue(0)
            return try await run(words, console: TestConsole(environment: environment)) { request in
                guard request.method == "migrate.state" else { return ready }
                looks.update { $0 += 1 }
                return looks.value < 3 ? ready : end ?? ready
            }
        }
        let kept = "What it replaced is kept until \(Output.time(1_796_464_800_000)): tandem migrate rollback\n"
        let moved = try await moves(["receive", "--yes"], to: end(of: "restore", .null))
        #expect(moved.status == 0 && moved.output == "The data of another phone is in place.\n" + kept)
        #expect(moved.error == "The phone's program starts again and puts it into place.\n")
        let asked = moved.requests.map(\.method)
        #expect(asked == ["migrate.receive", "migrate.watch", "migrate.state", "migrate.state", "migrate.state"])
        let restored = try await moves(["restore", "/tmp/move.enc", "--yes"], to: end(of: "restore", .null))
        #expect(restored.status == 0 && restored.output == moved.output)
        let back = try await moves(["rollback"], to: end(of: "undo", .null))
        #expect(back.status == 0 && back.output == "This phone went back to its earlier data.\n" + kept)

        let failed = try await moves(["receive", "--yes"], to: end(of: "restore", "The disk is full."))
        #expect(failed.status == 1 && failed.output == "")
        #expect(failed.error.hasSuffix("nothing was changed: The disk is full.\n"))
        let gone = try await moves(["receive", "--yes"], to: nil)
        #expect(gone.status == 1 && gone.error.contains("The phone's program did not come back."))
    }

    @Test("a phone that is kept starts its program again by itself, where it can")
    func keepStartsAgain() async throws {
        let resting: JSONValue = ["state": "kept", "isResting": true, "newPhone": "New"]
        let awake: JSONValue = ["state": "kept", "isResting": false, "newPhone": "New"]
        let kept = try await run(["keep"]) { request in
            switch request.method {
            case "phone.keep": resting
            case "migrate.restart": Self.state("idle", ["canStartAgain": true])
            default: awake
            }
        }
        #expect(kept.requests.map(\.method) == ["phone.keep", "migrate.restart", "phone.standing"])
        #expect(kept.output == "This phone goes on after its data moved to New. It rests again where New lives.\n")
        let refused = try await run(["keep"]) { request in
            guard request.method == "migrate.restart" else { return resting }
            throw ControlError.refused("This phone's program cannot start itself again.")
        }
        #expect(
            refused.output == "This phone goes on, but its program rests since the move. Start the program again.\n"
        )
    }

    @Test("before anything is replaced the person reads what this phone has")
    func replaced() throws {
        var own = MigrationFlowState.Own(counts: ["stories": 12, "media": 3], computers: 1)
        #expect(MigrateText.replaced(own) == "This phone has 12 stories, 3 media, 1 paired computer.")
        own = MigrationFlowState.Own(counts: [:], computers: 0)
        #expect(MigrateText.replaced(own) == "This phone has 0 stories, 0 media, 0 paired computers.")
        #expect(MigrateText.replaced(nil) == nil)
    }

    @Test("who listens says where, in the network and at a hub, and who dials says where the other one is")
    func places() async throws {
        let environment = ["TANDEM_MIGRATE_PASSWORD": "correct horse battery", "TANDEM_MIGRATE_PIN": "123456"]
        let receiving = try await run(
            ["receive", "--yes", "--host", "192.168.1.20", "--port", "4000"],
            console: TestConsole(environment: environment)
        ) { _ in Self.state("ready", ["role": "new"]) }
        #expect(receiving.requests.first?.params == ["host": "192.168.1.20", "port": 4000])
        let places = ["192.168.1.20:4000", "192.168.1.21:4000", "wss://hub.example.net#7kq2m-x94fd"]
        #expect(
            MigrateText.invitation(pin: "123456", places: places) == [
                "Scan this with the old phone, or type there:",
                "  tandem migrate send --to 192.168.1.20:4000",
                "or, from another network:",
                "  tandem migrate send --to wss://hub.example.net#7kq2m-x94fd",
                "and then this PIN: 123456",
            ]
        )

        let dialing = try await run(
            ["receive", "--yes", "--from", "192.168.1.9:5000", "--from", "wss://hub.example.net#7kq2m-x94fd"],
            console: TestConsole(environment: environment)
        ) { _ in Self.state("ready", ["role": "new"]) }
        #expect(
            dialing.requests.first?.params
                == ["addresses": ["192.168.1.9:5000", "wss://hub.example.net#7kq2m-x94fd"]]
        )
        let sending = try await run(["send"], console: TestConsole(environment: environment)) { _ in
            Self.state("done", ["role": "old", "peer": "New"])
        }
        #expect(sending.status == 0)
        #expect(
            MigrateText.listening(at: places) == [
                "Type on the new phone:",
                "  tandem migrate receive --from 192.168.1.20:4000",
                "or, from another network:",
                "  tandem migrate receive --from wss://hub.example.net#7kq2m-x94fd",
            ]
        )
        #expect(sending.requests.first?.params == ["addresses": [], "password": "correct horse battery"])
        #expect(MigrateText.places(["wss://hub.example.net#a"], "x") == ["  x wss://hub.example.net#a"])
        #expect(MigrateText.places([], "x").isEmpty)
    }

    @Test("a move that fails is status 1 with the phone's sentence, and one value of JSON for programs")
    func failure() async throws {
        let sentence = "The password is another one."
        let environment = ["TANDEM_MIGRATE_PASSWORD": "correct horse battery"]
        let answer: @Sendable (ControlRequest) throws -> JSONValue = { request in
            guard request.method == "migrate.watch" else { return Self.state("restoring", ["role": "new"]) }
            throw ControlError.refused(sentence)
        }
        let failed = try await run(
            ["restore", "/tmp/move.enc", "--yes"],
            console: TestConsole(environment: environment),
            answer: answer
        )
        #expect(failed.status == 1 && failed.output == "" && failed.error == "Error: \(sentence)\n")
        let json = try await run(
            ["restore", "/tmp/move.enc", "--yes", "--json"],
            console: TestConsole(environment: environment),
            answer: answer
        )
        #expect(try JSONValue(parsing: json.error.utf8)["error"]?["message"]?.stringValue == sentence)
    }

    @Test("status says how far a move is, what can be undone, and what a start could not put into place")
    func status() async throws {
        let until: Int64 = 1_796_464_800_000
        let state = Self.state(
            "sending",
            [
                "role": "old", "peer": "New\u{1B}[2J", "fraction": try JSONValue(encoding: 0.25),
                "totalBytes": 1_048_576, "timeLeft": 12,
                "undo": ["until": .integer(until), "since": 1_795_860_000_000, "changes": 12],
                "lastStart": ["change": "restore", "failure": "The disk is full."],
            ]
        )
        let shown = try await run(["status"]) { request in
            request.method == "migrate.state" ? state : ["state": "active", "isResting": false]
        }
        #expect(
            shown.output == """
                This phone's data did not move to another phone.
                Sending to New\\e[2J: 25 % of \(Output.size(1_048_576)), about 12 s left
                At the last start nothing was changed: The disk is full.
                What it replaced is kept until \(Output.time(until)): tandem migrate rollback
                Going back hides 12 changes of the journal since then.

                """
        )
        let json = try await run(["status", "--json"]) { request in
            request.method == "migrate.state" ? state : ["state": "active", "isResting": false]
        }
        let told = try JSONValue(parsing: json.output.utf8)
        #expect(told["state"]?.stringValue == "active" && told["move"]?["step"]?.stringValue == "sending")
        #expect(!json.output.contains("\u{1B}"))
    }
}
