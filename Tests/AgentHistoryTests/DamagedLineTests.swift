import Conversations
import Foundation
import Kernel
import Testing

@testable import AgentHistory

@Suite("Lines that are damaged in a part", .timeLimit(.minutes(4))) struct DamagedLineTests {
    private static let title = Rollout.user("A question")
    private static let answer = Rollout.agent("An answer")

    private static let codexLines: [(String, [UInt8], [String], Int)] = [
        (
            "a mark of the encoding before the first record",
            [0xEF, 0xBB, 0xBF] + text([Rollout.meta(), title, answer]),
            ["A question", "An answer"], 0
        ),
        (
            "zeros before a record", text([Rollout.meta(), title]) + zeros + text([answer]),
            ["A question", "An answer"], 0
        ),
        (
            "zeros behind a record", text([Rollout.meta(), title]) + Array(answer.utf8) + zeros + [0x0A],
            ["A question", "An answer"], 0
        ),
        (
            "half a record before a whole one",
            text([Rollout.meta(), title]) + Array(Rollout.agent("torn").utf8.prefix(60)) + text([answer]),
            ["A question", "An answer"], 1
        ),
        (
            "half a character before a whole record",
            text([Rollout.meta(), title]) + Array(#"{"type":"event_msg","x":""#.utf8) + [0xE6, 0x87] + text([answer]),
            ["A question", "An answer"], 1
        ),
        (
            // What is inside of a record is none by itself.
            "a record without its end", text([Rollout.meta(), title]) + Array(answer.utf8.dropLast()) + [0x0A],
            ["A question"], 1
        ),
        (
            "nothing but zeros", text([Rollout.meta(), title]) + zeros + [0x0A] + text([answer]),
            ["A question", "An answer"], 0
        ),
    ]

    private static let zeros = [UInt8](repeating: 0, count: 600)

    private static func text(_ lines: [String]) -> [UInt8] { Array(lines.map { $0 + "\n" }.joined().utf8) }

    @Test("what is whole in a line of Codex is read", arguments: codexLines.indices)
    func codex(index: Int) throws {
        let (name, bytes, said, skipped) = Self.codexLines[index]
        let home = try HistoryHome()
        let path = try home.write(Rollout.day + Rollout.name, bytes)
        #expect(home.codex.threads().threads.map(\.title) == ["A question"], "\(name)")
        for page in [try home.codex.lastPage(of: path), try home.codex.page(of: path, from: .start)] {
            #expect(page.items.map(\.said) == said, "\(name)")
            #expect(page.skipped.count == skipped, "\(name)")
        }
    }

    @Test("what is whole in a line of Claude Code is read, and the conversation goes on over what is lost")
    func claude() throws {
        let home = try HistoryHome()
        let lines: [UInt8] =
            [0xEF, 0xBB, 0xBF] + Self.text([Session.user("a", after: nil, "A question")])
            + Array(Session.agent("b", after: "a", "lost").utf8.prefix(80))
            + Self.text([Session.agent("c", after: "b", "An answer")]) + Self.zeros
            + Self.text([Session.user("d", after: "c", "Thanks")])
        let path = try home.write(Session.folder + Session.id + ".jsonl", lines)
        #expect(try home.claude.lastPage(of: path).items.map(\.said) == ["A question", "An answer", "Thanks"])
        #expect(home.claude.threads().threads.map(\.title) == ["A question"])
    }

    @Test("names behind a damaged row count")
    func names() throws {
        let home = try HistoryHome()
        let row = #"{"id":"\#(Rollout.id)","thread_name":"Given"}"#
        try home.write(".codex/session_index.jsonl", lines: ["\u{FEFF}" + #"{"id":"x","thr"# + row])
        #expect(home.codex.names() == [Rollout.id: "Given"])
    }

    @Test("half of a UTF-16 pair is a replacement character, and the rest of the line is there")
    func halfSurrogates() throws {
        let home = try HistoryHome()
        let line = Rollout.agent("XX here").replacing("XX", with: #"a \ud83d b \ude00 \ud83d\ude00 \\ud83d"#)
        let path = try home.write(Rollout.day + Rollout.name, lines: [Rollout.meta(), Self.title, line])
        let items = try home.codex.lastPage(of: path).items
        #expect(items.map(\.said) == ["A question", "a \u{FFFD} b \u{FFFD} 😀 \\ud83d here"])
        let claude = Session.agent("b", after: "a", "XX").replacing("XX", with: #"ends \ud83d"#)
        let session = try home.write(
            Session.folder + Session.id + ".jsonl",
            lines: [Session.user("a", after: nil, "Hello"), claude]
        )
        #expect(try home.claude.lastPage(of: session).items.map(\.said) == ["Hello", "ends \u{FFFD}"])
    }

    @Test("what editors and apps put before a request is left out, and an empty request is named by what was attached")
    func requests() {
        let files = "# Files mentioned by the user:\n\n## plan.pdf: /home/ada/plan.pdf\n\nKeep to the plan.\n\n"
        #expect(EditorContext.request(in: files + "## My request:\nSummarise the plan\n") == "Summarise the plan\n")
        #expect(EditorContext.request(in: files + "## My request for Codex:\n") == "plan.pdf")
        #expect(EditorContext.request(in: files + "## My request:\n \n") == "plan.pdf")
        let browser = "<in-app-browser-context tab=\"1\">\nA page\n</in-app-browser-context>\n"
        #expect(EditorContext.request(in: browser + "Mend this page") == "Mend this page")
        #expect(EditorContext.request(in: browser + "## My request for Codex:\nMend it") == "Mend it")
        // A person's own heading.
        let own = "Notes\n## My request:\nkeep all of this"
        #expect(EditorContext.request(in: own) == own)
    }
}
