import Kernel
import Testing

@testable import TandemCommands

@Suite("Tables in a window", .timeLimit(.minutes(4)))
struct TableTests {
    private static let table = Table(
        header: ["NAME", "ID", "WHAT"],
        rows: [
            ["a name that is rather long", "1234567890", "日本語の長い文章です"], ["b", "2", "👩\u{200D}👩\u{200D}👧 e\u{301}"],
        ]
    )

    private func lines(_ width: Int?) -> [String] {
        Self.table.text(width: width).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test("without a window nothing is cut")
    func pipe() {
        #expect(lines(nil)[1] == "a name that is rather long  1234567890  日本語の長い文章です")
        #expect(lines(1000) == lines(nil))
    }

    @Test("without a window one long cell does not fill up every row")
    func longCell() {
        let table = Table(header: ["TITLE", "ID"], rows: [[String(repeating: "x", count: 500), "1"], ["y", "2"]])
        let rows = table.text(width: nil).split(separator: "\n")
        #expect(rows[1] == String(repeating: "x", count: 500) + "  1")
        #expect(rows[2] == "y" + String(repeating: " ", count: 49) + "2")
    }

    @Test("no row is wider than the window, whatever it is written in", arguments: 11...70)
    func width(columns: Int) {
        for line in lines(columns) { #expect(TerminalText.columns(line) <= columns) }
    }

    @Test("what is long is cut first, then ids, and what is cut ends in an ellipsis")
    func order() {
        let table = Table(
            header: ["NAME", "STATE", "ID"],
            rows: [["a name that is rather long", "ready", "did:key:1234567890abcdef"]]
        )
        func row(_ width: Int) -> String { String(table.text(width: width).split(separator: "\n")[1]) }
        #expect(row(60) == "a name that is rather long  ready  did:key:1234567890abcdef")
        #expect(row(50) == "a name that is r…  ready  did:key:1234567890abcdef")
        #expect(row(40) == "a name that…  ready  did:key:1234567890…")
        #expect(row(34) == "a name t…  ready  did:key:1234567…")
        #expect(row(7) == "…  …  …")
    }

    @Test(
        "a cut never stands inside a character",
        arguments: ["日本語", "👩\u{200D}👩\u{200D}👧👩\u{200D}👩\u{200D}👧", "e\u{301}e\u{301}e\u{301}e\u{301}"]
    )
    func cut(text: String) {
        for columns in 1...8 {
            let cut = Table.cut(text, to: columns)
            #expect(TerminalText.columns(cut) <= columns)
            guard cut != text else { continue }
            #expect(cut.hasSuffix("…"))
            #expect(text.hasPrefix(String(cut.dropLast())))
        }
    }

    @Test(
        "in a list a time is how long ago it was",
        arguments: [
            (0, "now"), (59, "now"), (-30, "now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago"),
            (86_399, "23 h ago"), (86_400, "1 day ago"), (172_800, "2 days ago"), (1_209_599, "13 days ago"),
        ] as [(Int64, String)]
    )
    func ago(seconds: Int64, words: String) {
        let now: Int64 = 1_790_000_000_000
        #expect(Output.ago(now - seconds * 1000, now: now) == words)
    }

    @Test("a time of long ago and one that is to come are dates")
    func dates() {
        let now: Int64 = 1_790_000_000_000
        for milliseconds in [now - 1_209_600_000, now + 61_000] {
            let words = Output.ago(milliseconds, now: now)
            #expect(!words.hasSuffix("ago") && words != "now", "\(words)")
        }
    }

    @Test("of an id a terminal shows as much as tells it from the others, and a pipe all of it")
    func shortIDs() {
        let ids = ["0199a1b2-0001-7e5f", "0199a1b2-0002-7e5f", "5973b6c0-94b8"]
        func shown(_ console: TestConsole) -> [String] {
            Running.$console.withValue(console) { ids.map { Output.shortID($0, among: ids) } }
        }
        #expect(shown(TestConsole(terminals: [.output])) == ["0199a1b2-0001", "0199a1b2-0002", "5973b6c0"])
        #expect(shown(TestConsole()) == ids)
    }

    @Test("a table is cut on a terminal only")
    func console() async {
        let rows = [["x", String(repeating: "y", count: 100)]]
        let terminal = TestConsole(terminals: [.output], size: (columns: 40, rows: 10))
        let shown = Running.$console.withValue(terminal) { Output.table(["A", "B"], rows) }
        #expect(shown == "A  B\nx  " + String(repeating: "y", count: 36) + "…")
        let pipe = TestConsole(size: (columns: 40, rows: 10))
        #expect(Running.$console.withValue(pipe) { Output.table(["A", "B"], rows) }.hasSuffix("yyy"))
        #expect(
            Running.$console.withValue(terminal) { Output.row("\u{1B}" + String(repeating: "z", count: 99)) }.count
                == 40
        )
    }
}
