import AgentHistory
import Conversations
import Foundation
import Kernel
import Testing

@Suite("Codex: names that a rollout notes itself", .timeLimit(.minutes(4))) struct CodexNameTests {
    private static let file = Rollout.day + Rollout.name
    private static let begin = [Rollout.meta(), Rollout.user("First words")]

    private static func named(_ name: JSONValue, _ thread: String = Rollout.id) -> String {
        Rollout.event(["type": "thread_name_updated", "thread_id": .string(thread), "thread_name": name], second: 8)
    }

    /// Lines of about a kilobyte, which say nothing of names.
    private static func filling(_ bytes: Int) -> [String] {
        [String](repeating: Rollout.agent(String(repeating: "step ", count: 200)), count: bytes / 1000)
    }

    private static func title(_ home: HistoryHome, _ history: CodexHistory? = nil) throws -> String? {
        let history = history ?? home.codex
        let entry = try #require(history.files().entries.first)
        return try history.thread(of: entry, names: history.names())?.title
    }

    @Test("the newest one is the title of a thread that the list of names does not know")
    func newest() throws {
        let home = try HistoryHome()
        try home.write(
            Self.file,
            lines: Self.begin + [Self.named("Engine"), Rollout.agent("Done."), Self.named("Engine  room\nbelow")]
        )
        #expect(try Self.title(home) == "Engine room below")
        #expect(home.codex.threads().threads.map(\.title) == ["Engine room below"])
    }

    @Test("the list of names, where Codex itself looks, comes before it")
    func list() throws {
        let home = try HistoryHome()
        try home.write(Self.file, lines: Self.begin + [Self.named("In the rollout")])
        try home.write(
            ".codex/session_index.jsonl",
            lines: [json(["id": .string(Rollout.id), "thread_name": "In the list"])]
        )
        #expect(try Self.title(home) == "In the list")
    }

    @Test("the same in a compressed rollout, and in one that a person's folder holds")
    func elsewhere() throws {
        let home = try HistoryHome()
        try home.write(Self.file + ".zst", packed: Self.begin + [Self.named("Cold")])
        #expect(try Self.title(home) == "Cold")
        let other = try HistoryHome()
        try other.write("copies/" + Rollout.name, lines: Self.begin + [Self.named("Copied")])
        #expect(try Self.title(other, other.codex(["CODEXD_HISTORY_DIR": other.path + "/copies"])) == "Copied")
    }

    @Test("a name of another thread, one that was taken back, words about names and a half-written one are none")
    func others() throws {
        let cases: [[String]] = [
            [Self.named("Parent's", "0199a1b2-0000-7e5f-8a9b-0c1d2e3f4a5b")],
            [Self.named("Gone"), Self.named(.null)],
            [Rollout.agent(#"{"type":"thread_name_updated","thread_name":"Talk"}"#)],
            [Rollout.item(["type": "thread_name_updated", "thread_name": "No event"])],
        ]
        for lines in cases {
            let home = try HistoryHome()
            try home.write(Self.file, lines: Self.begin + lines)
            #expect(try Self.title(home) == "First words")
        }
        let home = try HistoryHome()
        let history = home.codex
        let whole = (Self.begin + [Self.named("Engine room")]).joined(separator: "\n")
        try home.write(Self.file, Array(whole.utf8.dropLast(5)))
        #expect(try Self.title(home, history) == "First words")
        try home.write(Self.file, Array((whole + "\n").utf8))
        #expect(try Self.title(home, history) == "Engine room")
    }

    @Test("in a long rollout it is found at both ends, and stays found while much more is written behind it")
    func long() throws {
        let home = try HistoryHome()
        let history = home.codex
        var lines = Self.begin + [Self.named("Early")] + Self.filling(3 << 20)
        try home.write(Self.file, lines: lines)
        #expect(try Self.title(home, history) == "Early")
        lines.append(Self.named("Late"))
        try home.write(Self.file, lines: lines)
        #expect(try Self.title(home, history) == "Late")
        lines += Self.filling(3 << 20)
        try home.write(Self.file, lines: lines)
        #expect(try Self.title(home, history) == "Late")
        // The middle of a long file is not read for a list.
        #expect(try Self.title(home) == "Early")
    }
}
