import Control
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("What commands make of a role's answer", .timeLimit(.minutes(4)))
struct AnswerTests {
    private struct Outcome: Sendable {
        var status: Int32
        var output: String
        var error: String
        var requests: [ControlRequest]
    }

    /// The commands that ask one thing and print the answer, as they are typed, with what they ask the running process.
    private static let asking: [(words: String, method: String)] = [
        ("hub peers", "hub.peers"), ("hub devices --limit 5", "hub.devices"), ("hub name x Desk", "hub.name"),
        ("hub kick x --reason y", "hub.kick"), ("hub release x", "hub.release"),
        ("hub invitations", "accounts.invitations"), ("hub invitations take-back x", "accounts.takeBack"),
        ("hub users", "accounts.list"), ("hub users list --limit 5", "accounts.list"),
        ("hub users show x", "accounts.show"), ("hub users suspend x", "accounts.suspend"),
        ("hub users resume x", "accounts.resume"), ("hub users delete x", "accounts.delete"),
        ("hub users end-sessions x", "accounts.endSessions"), ("hub moderate", "chat.reports"),
        ("account", "account.show"),
        ("account new hub.example ada", "account.new"), ("account login hub.example", "account.login"),
        ("account password", "account.password"), ("account devices", "account.devices"),
        ("account sign-out x", "account.endDevice"),
        ("account logout", "account.logout"), ("account delete ada", "account.delete"),
        ("hub moderate list --all", "chat.reports"), ("hub moderate close 3", "chat.closeReport"),
        ("hub messages --days 3", "chat.messages"), ("hub backup /nowhere", "hub.backup"),
        ("hub limits", "hub.limits"), ("hub load", "hub.load"), ("pair show --no-wait --role desktop", "pair.show"),
        ("pair show --text --role phone", "pair.show"), ("pair scan --text {} --role phone", "pair.scan"),
        ("pair show --no-wait --no-digits --role desktop", "pair.show"),
        ("pair hide --role desktop", "pair.hide"), ("pair hide --role phone", "pair.hide"),
        ("pair code 482913", "pair.code"), ("pair requests", "pair.requests"),
        ("pair accept --role desktop", "pair.accept"),
        ("pair reject 7", "pair.reject"), ("devices --role phone", "devices.list"),
        ("devices list --role desktop", "devices.list"), ("devices show x --role phone", "devices.show"),
        ("devices forget x --role phone", "devices.forget"), ("devices rename x y --role phone", "devices.rename"),
        ("devices allow x terminal --role desktop", "devices.allow"),
        ("devices deny x clipboard --role desktop", "devices.deny"), ("devices audit", "devices.audit"),
        ("activity", "activity.list"), ("activity list", "activity.list"), ("activity end a", "activity.end"),
        ("queue", "queue.list"), ("queue retry x", "queue.retry"), ("queue remove x", "queue.remove"),
        ("queue clear", "queue.clear"), ("call system.ping", "call"), ("call --queue clipboard.set {}", "queue.call"),
        ("terminal list", "call"), ("terminal end x", "call"), ("screen list", "call"), ("screen", "call"),
        ("clipboard set x", "call"), ("clipboard history", "call"), ("clipboard history clear", "call"),
        ("system", "call"), ("system battery", "call"), ("system logs", "call"), ("files rm x", "call"),
        ("files find x", "call"), ("files mkdir x", "call"), ("files mv x y/", "call"), ("files cat x", "call"),
        ("files get x /tmp", "files.get"), ("files put /x", "files.put"),
        ("ports list --role desktop", "ports.list"), ("ports list --role phone", "ports.remote"),
        ("ports allow 3000", "ports.allow"), ("ports deny 3000", "ports.deny"), ("ports found", "ports.found"),
        ("ports open 3000", "ports.enter"), ("ports close 3000", "ports.close"),
        ("files discard /x", "files.discard"), ("status --role hub", "status"),
    ]

    private func run(_ words: [String], answer: JSONValue, console: TestConsole = TestConsole()) async throws -> Outcome
    {
        try await PreparedRole.run({ _ in answer }) { state, role in
            let status = await console.run(words + ["--state", state])
            return Outcome(status: status, output: console.output, error: console.error, requests: role.requests)
        }
    }

    private func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    @Test("with --json it is the answer in one line, safe for a terminal, and nothing else", arguments: asking)
    func json(typed: (words: String, method: String)) async throws {
        let answer: JSONValue = [
            "name": "a\u{1B}[2J\nb", "list": [1, .null],
            // What a part of a file and the end of a transfer cannot do without.
            "content": "", "encoding": "base64", "files": 0, "bytes": 0, "present": 0, "skipped": [], "path": "/x",
            // What is looked at with --json too: what was not done, and what stays refused.
            "hidden": true, "ended": [], "notEnded": [], "queued": true, "id": "a", "platform": "ios",
            "ownFingerprint": "A",
            "endToEnd": true, "skills": [], "pairedAt": 0, "lastSeenAt": 0,
        ]
        let outcome = try await run(words(typed.words) + ["--json"], answer: answer)
        #expect(outcome.status == 0)
        #expect(outcome.output == TerminalText.json(answer.canonicalText) + "\n")
        #expect(!outcome.output.contains("\u{1B}"))
        #expect(outcome.error == "")
        #expect(outcome.requests.map(\.method) == [typed.method])
    }

    @Test("a refusal is status 1 with its sentence in one row, or as one line of JSON", arguments: asking)
    func refused(typed: (words: String, method: String)) async throws {
        try await PreparedRole.run({ _ in throw ControlError.refused("No.\nReally\u{1B}[2J.") }) { state, _ in
            let person = TestConsole()
            #expect(await person.run(words(typed.words) + ["--state", state]) == 1)
            #expect(person.output == "")
            #expect(person.error == "Error: No.\\nReally\\e[2J.\n")
            let program = TestConsole()
            #expect(await program.run(words(typed.words) + ["--json", "--state", state]) == 1)
            #expect(program.output == "")
            try expectOneError(program, status: 1) { $0 == "No.\nReally\u{1B}[2J." }
        }
    }

    @Test(
        "lists that are empty say so, with status 0",
        arguments: [
            ("hub peers", "Nobody is connected.\n"), ("hub devices", "No device has proved an id here yet.\n"),
            ("hub invitations", "There is no open invitation. Make one with: tandem hub invite\n"),
            ("hub moderate", "There is no report.\n"),
            ("account", "This phone has no account. Make one with: tandem account new HUB NAME\n"),
            ("hub users", "Nobody has an account. Invite somebody with: tandem hub invite\n"),
            ("pair requests", "Nobody asks. Show a code with: tandem pair show\n"),
            ("devices list --role desktop", "No device is paired. Pair one with: tandem pair show\n"),
            ("devices list --role phone", "No device is paired. Pair one with: tandem pair scan\n"),
            ("devices audit", "No device has done anything worth noting.\n"),
            ("activity", "No phone keeps anything going at this computer.\n"), ("queue", "Nothing waits.\n"),
            ("terminal list", "No terminal runs there.\n"), ("screen list", "No display is there.\n"),
            ("files find x", "Nothing is called that.\n"), ("files", "The folder is empty.\n"),
        ]
    )
    func empty(typed: String, text: String) async throws {
        let answer: JSONValue = [
            "sessions": [], "displays": [], "results": [], "entries": [], "peers": [], "devices": [], "requests": [],
            "refused": [],
            "invitations": [], "reports": [], "users": [], "total": 0,
            "devices": [], "activities": [], "commands": [],
        ]
        let outcome = try await run(words(typed), answer: answer)
        #expect(outcome.status == 0)
        #expect(outcome.output == text)
        #expect(outcome.error == "")
    }

    @Test("devices are a table, and what is not sealed stands out")
    func devices() async throws {
        let answer: JSONValue = [
            "devices": [
                Sample.wire(["name": "Büro", "platform": "linux", "path": "lan", "id": "a"]),
                Sample.wire(["name": "old\nphone", "endToEnd": false, "id": "b"]),
            ]
        ]
        #expect(
            try await run(["devices", "--role", "desktop"], answer: answer).output == """
                NAME        PLATFORM  PATH  SEALED        LAST SEEN  ID
                Büro        linux     lan   yes           never      a
                old\\nphone  android   away  NO, insecure  never      b

                """
        )
    }

    @Test("all of a role's status is a row each, with times in words and without what is not known")
    func members() async throws {
        let answer: JSONValue = [
            "name": "a\u{1B}b", "pairedAt": 0, "did": .null, "skills": ["file.read", "terminal"], "kept": [],
            "servers": [["url": "ws://x", "registered": true], ["url": "ws://y"]], "limits": ["count": 3],
        ]
        #expect(
            try await run(["status", "--role", "phone"], answer: answer).output == """
                limits:
                  count: 3
                name: a\\eb
                pairedAt: never
                servers:
                  - registered: true
                    url: ws://x
                  - url: ws://y
                skills: file.read, terminal

                """
        )
    }

    @Test("a device is a row for each thing a person asks of it, with ids last; with --json as it came")
    func device() async throws {
        let phone = Sample.wire([
            "id": "did:key:z6MkA", "path": "relay", "skills": ["system.info", "terminal"], "stillRefused": ["terminal"],
            "unsigned": [], "deviceId": "b1d6", "name": "Ada's\u{1B}[2J phone",
        ])
        #expect(
            try await run(["devices", "show", "x", "--role", "desktop"], answer: phone).output == """
                Ada's\\e[2J phone
                  platform   android
                  reached    here, over the hub
                  paired     never
                  sealed     end to end
                  its key    ABCD-EFGH
                  key here   IJKL
                  may        system.info, terminal
                  refused    terminal
                  id         did:key:z6MkA
                  device id  b1d6

                """
        )
        let computer = Sample.wire([
            "id": "pc-1", "allowed": ["clipboard"], "notAllowed": "It does not allow this phone terminal.",
            "confirmed": true,
        ])
        let shown = try await run(["devices", "show", "x", "--role", "phone"], answer: computer).output
        #expect(shown.contains("\n  reached   away, last seen never\n"))
        #expect(
            shown.hasSuffix(
                "\n  allowed   clipboard\n  id        pc-1\n  key id    did:key:z6MkA\n  It does not allow this phone terminal.\n"
            )
        )
        let json = try await run(["devices", "show", "x", "--role", "phone", "--json"], answer: computer).output
        #expect(try JSONValue(parsing: json.utf8) == computer)
    }

    @Test("on a terminal ids of what goes on are as short as commands take them, in a pipe whole")
    func activities() async throws {
        let ids = ["terminal:1a2b3c4d-5e6f", "terminal:9a8b7c6d-5e6f", "clipboard:did:key:z6MkA"]
        let answer: JSONValue = ["activities": .array(ids.map { Sample.wire(["id": .string($0), "since": .null]) })]
        let console = TestConsole(terminals: [.output], size: (columns: 80, rows: 24))
        try await PreparedRole.run({ _ in answer }) { state, _ in
            #expect(await console.run("activity", "--state", state) == 0)
        }
        let rows = console.output.split(separator: "\n").dropFirst()
        #expect(rows.map { $0.split(separator: " ").last } == ["terminal:1a2b3c4d", "terminal:9a8b7c6d", "clipboard"])
        let piped = try await run(["activity"], answer: answer).output.split(separator: "\n").dropFirst()
        #expect(piped.map { $0.split(separator: " ").last.map(String.init) } == ids)
    }

    @Test("a hub's peers are a table")
    func peers() async throws {
        let answer: JSONValue = [
            "peers": [
                [
                    "peerId": "p", "name": "phone", "person": "ada", "proven": true, "address": "192.0.2.1",
                    "connectedAt": 0, "lastSeen": 0,
                ]
            ]
        ]
        #expect(
            try await run(["hub", "peers"], answer: answer).output
                == "NAME         ADDRESS    SINCE  PROVEN  ID\nphone (ada)  192.0.2.1  never  yes     p\n"
        )
    }

    @Test("a hub's devices are a table that says where it goes on")
    func hubDevices() async throws {
        let answer: JSONValue = [
            "devices": [
                ["peerId": "p", "connected": true, "seenAt": 0], ["peerId": "q", "connected": false, "seenAt": 0],
            ],
            "total": 3, "next": #"0:"q""#,
        ]
        let day = Date(millisecondsSince1970: 0).formatted(date: .abbreviated, time: .omitted)
        let output = try await run(["hub", "devices"], answer: answer).output
        #expect(output.contains("connected"))
        #expect(output.contains(day))
        #expect(output.hasSuffix("2 of 3. Go on with: --after '0:\"q\"'\n"))
    }

    @Test("what is not there to be ended is status 1 both ways")
    func notEnded() async throws {
        let answer: JSONValue = ["ended": [], "notEnded": ["a"]]
        for json in [[], ["--json"]] {
            let outcome = try await run(["activity", "end", "a"] + json, answer: answer)
            #expect(outcome.status == 1)
            #expect(outcome.output == (json.isEmpty ? "Nothing was ended.\n" : answer.canonicalText + "\n"))
            #expect(outcome.error.contains("Not there any more, or nothing that could be ended: a."))
        }
    }

    @Test("a picture and a clipboard go into the file also with --json, which says where")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (picture, text) = (folder.appending(path: "a.png").path, folder.appending(path: "b.txt").path)
        let shot = try await run(["screen", "-o", picture, "--json"], answer: ["imageBase64": "aGk=", "width": 2])
        #expect(try JSONValue(parsing: shot.output.utf8) == ["path": .string(picture), "width": 2])
        #expect(try String(contentsOfFile: picture, encoding: .utf8) == "hi")
        let clip = try await run(
            ["clipboard", "get", "-o", text, "--json"],
            answer: ["content": "hello", "type": "text"]
        )
        #expect(try JSONValue(parsing: clip.output.utf8) == ["path": .string(text), "type": "text"])
        #expect(try String(contentsOfFile: text, encoding: .utf8) == "hello")
    }

    @Test("settings that are wrong are said all together: in rows, or in one error")
    func settings() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let home = folder.path
        try Data(#"{"hubs":"x","names":1}"#.utf8).write(to: try StateFolder(folder).configurationURL)
        for (words, json) in [
            (["config", "check"], false), (["config", "check", "--json"], true), (["config", "show", "--json"], true),
        ] {
            let console = TestConsole(environment: ["HOME": home])
            #expect(await console.run(words + ["--role", "phone", "--state", folder.path]) == 2)
            if json {
                try expectOneError(console, status: 2) { $0.contains(" sets hubs,") && $0.contains(" sets names,") }
            } else {
                #expect(console.error.split(separator: "\n").count == 2)
                #expect(console.error.split(separator: "\n").allSatisfy { $0.hasPrefix("Error: ") })
            }
        }
        // What the settings are is shown all the same.
        let console = TestConsole(environment: ["HOME": home])
        #expect(await console.run("config", "show", "--role", "phone", "--state", folder.path) == 2)
        #expect(console.output.hasPrefix("SETTING "))
    }

    @Test("of a secret setting only that it is set is shown, in rows and as JSON")
    func secretSetting() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = #"{"chatWebhook":"https://x.example","chatWebhookSecret":"correct horse battery"}"#
        try Data(settings.utf8).write(to: try StateFolder(folder).configurationURL)
        for more in [[], ["--json"]] {
            let console = TestConsole(environment: ["HOME": folder.path])
            #expect(await console.run(["config", "show", "--role", "hub", "--state", folder.path] + more) == 0)
            #expect(!console.output.contains("horse") && console.output.contains("(set)"))
            #expect(console.output.contains("https://x.example"))
        }
    }
}
