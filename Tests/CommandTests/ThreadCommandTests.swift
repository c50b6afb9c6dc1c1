import Control
import Foundation
import Kernel
import LinuxTerminal
import Synchronization
import Testing

@testable import TandemCommands

@Suite("What commands for conversations ask and print", .timeLimit(.minutes(4)))
struct ThreadCommandTests {
    private static let id = "0199a1b2-0001-7e5f-8a9b-0c1d2e3f4a5b"

    private func run(
        _ words: [String],
        items: [JSONValue] = [],
        console: TestConsole = TestConsole(),
        status: Int32 = 0,
        answer: @escaping @Sendable (_ method: String, _ parameters: JSONValue) throws -> JSONValue
    ) async throws -> (output: String, error: String) {
        let answer: @Sendable (ControlRequest) throws -> JSONValue = { request in
            guard request.method != "status" else { return ["role": "phone"] }
            return try answer(
                request.params["method"]?.stringValue ?? request.method,
                request.params["params"] ?? .null
            )
        }
        return try await PreparedRole.run(answer, reporting: items) { state, _ in
            let at = words.firstIndex(of: "--") ?? words.endIndex
            let all = words[..<at] + ["--state", state] + words[at...]
            #expect(await console.run(Array(all)) == status, "\(console.error)")
            return (output: console.output, error: console.error)
        }
    }

    private static func thread(_ id: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        let members: [String: JSONValue] = [
            "id": .string(id), "source": "codex", "title": .string("Build the analytical engine \u{1B}[2J for \(id)"),
            "updated_at": 0, "cwd": "/home/ada/engine", "state": "idle",
        ]
        return .object(members.merging(more) { $1 })
    }

    private func show(_ items: [JSONValue], _ words: [String] = [], more: [String: JSONValue] = [:]) async throws -> (
        output: String, error: String
    ) {
        try await run(["threads", "show", Self.id] + words) { _, _ in
            [
                "thread": Self.thread(Self.id, more), "items": .array(items), "newer": "9", "is_end": true,
                "damage": more["damage"] ?? .null,
            ]
        }
    }

    @Test(
        "on a narrow terminal a list has two rows for each: a title that can be read, and an id that can be typed",
        arguments: [40, 80]
    )
    func narrow(columns: Int) async throws {
        let ids = [Self.id, "0199a1b2-0002-7e5f-8a9b-0c1d2e3f4a5b", "5973b6c0-94b8-487b-a530-2aeb6098ae0e"]
        let console = TestConsole(environment: ["NO_COLOR": "1"], terminals: [.output], size: (columns, 24))
        let (output, _) = try await run(["threads", "list"], console: console) { _, _ in
            ["items": .array(ids.map { Self.thread($0, ["state": "running"]) })]
        }
        let rows = output.split(separator: "\n")
        #expect(rows.count == 6)
        #expect(rows.allSatisfy { TerminalText.columns(String($0)) <= columns })
        #expect(rows[0].hasPrefix("Build the analytical engine \\e[2J"))
        #expect(rows[1].hasPrefix("  0199a1b2-0001  running · codex"))
        #expect(rows[5].hasPrefix("  5973b6c0  running"))
        let (whole, _) = try await run(["threads", "list", "--ids"], console: console) { _, _ in
            ["items": .array(ids.map { Self.thread($0, ["state": "running"]) })]
        }
        if columns > 60 { #expect(whole.contains("  \(Self.id)  running · codex")) }
    }

    @Test("into a pipe a list is a table with whole ids")
    func table() async throws {
        let (output, _) = try await run(["threads", "list"]) { _, _ in ["items": [Self.thread(Self.id)]] }
        #expect(output.split(separator: "\n").count == 2)
        #expect(output.contains(Self.id))
    }

    @Test("a plan is shown with what it says, steps or not")
    func plan() async throws {
        let (output, _) = try await show([
            ["id": "1", "kind": "plan", "text": "# Plan\u{7}\nFirst the wheels.", "steps": []],
            [
                "id": "2", "kind": "plan", "text": "Because",
                "steps": [["text": "one", "state": "done"], ["text": "two", "state": "running"]],
            ],
            ["id": "3", "kind": "plan", "steps": [["text": "three", "state": "pending"]]],
        ])
        #expect(output.hasSuffix("\n# Plan\\a\nFirst the wheels.\n\nBecause\n  [x] one\n  [>] two\n  [ ] three\n"))
    }

    @Test("of an output few rows are shown, and of a long row its beginning; all with --full")
    func folding() async throws {
        let row = String(repeating: "x", count: 5000)
        let items: [JSONValue] = [["id": "1", "kind": "output", "text": .string(row), "outcome": "ok"]]
        let (folded, _) = try await show(items)
        #expect(folded.contains("    ✓ " + row.prefix(200) + "…\n"))
        #expect(folded.hasSuffix("      … long rows are cut; all with --full\n"))
        let (full, _) = try await show(items, ["--full"])
        #expect(full.hasSuffix("    ✓ " + row + "\n"))
        let many = (1...20).map { "\($0) " + row }.joined(separator: "\n")
        let (rows, _) = try await show([["id": "1", "kind": "output", "text": .string(many), "outcome": "ok"]])
        let lines: [Substring] = rows.split(separator: "\n")
        #expect(lines.suffix(6).allSatisfy { $0.count < 220 })
        #expect(rows.hasSuffix("… 15 more rows; all with --full\n"))
    }

    @Test("a conversation says why its last turn failed, and that its file is damaged")
    func failure() async throws {
        let (output, error) = try await show(
            [],
            more: ["state": "failed", "reason": "Not signed in.\u{1B}[2J", "damage": "it ends in the middle"]
        )
        #expect(output.contains("codex · /home/ada/engine · failed\n  ! Not signed in.\\e[2J\n"))
        #expect(error.contains("damaged, and what follows is lost: it ends in the middle."))
    }

    @Test("who follows hears of another state once, and why one failed")
    func follow() async throws {
        func changed(_ state: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
            [
                "event": "threads.changed",
                "thread": Self.thread("t-1", more.merging(["state": .string(state), "title": "Build"]) { $1 }),
            ]
        }
        let items = [
            changed("running"), changed("running", ["size": 2]), changed("done"), changed("idle"), changed("done"),
            changed("failed", ["reason": "Out of credits"]), changed("failed", ["reason": "Out of credits"]),
        ]
        let (output, _) = try await run(["threads", "follow"], items: items) { _, _ in .null }
        #expect(
            output == """
                running: Build (t-1)
                done: Build (t-1)
                done: Build (t-1)
                failed: Build (t-1): Out of credits

                """
        )
        let (json, _) = try await run(["threads", "follow", "--json"], items: items) { _, _ in .null }
        #expect(json.split(separator: "\n").count == items.count)
    }

    @Test("of what waits it is said that only its beginning is shown, and which answer ends the turn")
    func cutApproval() async throws {
        let (output, _) = try await run(["threads", "approve"]) { _, _ in
            [
                "items": [
                    [
                        "id": "a-1", "thread_id": "t-1", "source": "codex", "at": 0, "kind": "change", "text": "+one",
                        "is_cut": true, "length": 200_000, "files": [["path": "/a", "kind": "added"]],
                        "options": [["id": "yes", "kind": "allow_once"], ["id": "stop", "kind": "cancel"]],
                    ]
                ]
            ]
        }
        #expect(output.contains("  +one\n  … only the beginning is shown: 195 KiB in all\n"))
        #expect(output.contains("--allow | --option stop (decline and stop)\n"))
    }

    @Test("a beginning of an id is looked for in the whole list, the newest page first")
    func prefix() async throws {
        let (output, _) = try await run(["threads", "show", "5973b6c0"]) { method, parameters in
            guard method == "threads.list" else {
                guard parameters["id"]?.stringValue?.count == 36 else { throw ControlError.refused("There is none.") }
                return ["thread": Self.thread("5973b6c0-94b8-487b-a530-2aeb6098ae0e"), "items": [], "is_end": true]
            }
            if parameters["cursor"] == nil { return ["items": [Self.thread(Self.id)], "next": "1.2"] }
            return ["items": [Self.thread("5973b6c0-94b8-487b-a530-2aeb6098ae0e")]]
        }
        #expect(output.contains("codex · /home/ada/engine"))
    }

    @Test(
        "who stops an agent hears what became of it",
        arguments: [
            ("idle", "idle", "idle", "Nothing runs in it."), ("running", "running", "running", "It is being stopped."),
            ("approval", "idle", "idle", "It is stopped."), ("running", "idle", "running", "It still runs."),
        ]
    )
    func cancel(before: String, answered: String, after: String, said: String) async throws {
        let isAsked = Mutex(false)
        let (output, error) = try await run(
            ["threads", "cancel", Self.id],
            status: said == "It still runs." ? 1 : 0
        ) { method, _ in
            guard method == "threads.cancel" else {
                let state = isAsked.withLock { $0 } ? after : before
                return [
                    "thread": Self.thread(Self.id, ["state": .string(state)]), "items": [], "is_end": true,
                ]
            }
            isAsked.withLock { $0 = true }
            return ["state": .string(answered)]
        }
        #expect((output + error).contains(said))
    }

    @Test(
        "nothing is looked for, or named, by nothing",
        arguments: [["search", " "], ["show", ""], ["post", "", "hello"]]
    )
    func nothing(words: [String]) async throws {
        let (_, error) = try await run(["threads"] + words, status: 2) { _, _ in .null }
        #expect(error.contains("Say what is looked for.") || error.contains("Name a conversation by its id."))
    }
}
