import Kernel
import Rights
import Testing

@testable import TandemCommands

@Suite("What commands print", .timeLimit(.minutes(4)))
struct OutputTests {
    @Test("columns line up whatever a name is written in, and nothing is cut")
    func table() {
        let table = Output.table(
            ["NAME", "ID"],
            [["Büro", "1"], ["日本", "2"], ["e\u{301}", "3"], ["👩\u{200D}👩\u{200D}👧", "4"]]
        )
        #expect(
            table == """
                NAME  ID
                Büro  1
                日本  2
                e\u{301}     3
                👩\u{200D}👩\u{200D}👧    4
                """
        )
    }

    @Test("no cell makes a second row or acts on the terminal")
    func hostileTable() {
        let table = Output.table(["NAME", "ID"], [["a\nb\u{1B}[2J", "1\u{202E}"]])
        #expect(table == "NAME       ID\na\\nb\\e[2J  1\\u202e")
    }

    @Test("each right stands with its meaning, which goes on below itself in a narrow window")
    func rights() {
        let rights = Live.rights.sorted(Live.rights.all)
        let lines = Output.table(of: rights, width: nil).split(separator: "\n")
        #expect(lines.count == rights.count)
        for (line, right) in zip(lines, rights) {
            #expect(line.hasPrefix("  \(right.rawValue) ") && line.hasSuffix("  \(Live.rights[right]?.meaning ?? "?")"))
        }
        let rows = Output.table(of: rights, width: 80).split(separator: "\n")
        #expect(rows.count > lines.count)
        let start = 4 + (rights.map(\.rawValue.count).max() ?? 0)
        for row in rows {
            #expect(TerminalText.columns(String(row)) <= 80)
            let indent = row.prefix { $0 == " " }.count
            #expect(indent == 2 || indent == start)
        }
    }

    @Test("a name that would make two rows is quoted, also into a pipe")
    func names() {
        #expect(Output.name("a\nb") == "'a'$'\\n''b'")
        #expect(Output.name(nil) == "")
    }

    @Test("hostile text on a terminal is shown as escapes, with a word about it")
    func hostileText() {
        let (shown, remark) = Output.forTerminal("one\n\ttwo\u{1B}]52;c;cm0=\u{7}\r")
        #expect(shown == "one\n\ttwo\\e]52;c;cm0=\\a\\r\n")
        let words =
            "It holds characters that act on a terminal; they are shown as escapes. Exactly: into a file or a pipe."
        #expect(remark == words)
    }

    @Test("other text on a terminal stays as it is, and its last line ends", arguments: ["", "\n"])
    func harmlessText(end: String) {
        let (shown, remark) = Output.forTerminal("Büro 👍\n\tx" + end)
        #expect(shown == "Büro 👍\n\tx\n")
        #expect(remark == nil)
    }

    @Test(
        "sizes are binary and say so",
        arguments: [
            (0, "0 B"), (1, "1 B"), (1023, "1023 B"), (1024, "1.0 KiB"), (1536, "1.5 KiB"), (104_857, "102 KiB"),
            (1_048_575, "1.0 MiB"), (1 << 20, "1.0 MiB"), (5 << 30, "5.0 GiB"), (Int64.max, "8.0 EiB"),
        ] as [(Int64, String)]
    )
    func sizes(bytes: Int64, text: String) {
        #expect(Output.size(bytes) == text)
    }
}
