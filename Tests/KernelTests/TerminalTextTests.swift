import Foundation
import Kernel
import Testing

@Suite("Text on a terminal", .timeLimit(.minutes(4)))
struct TerminalTextTests {
    /// Every kind of character that acts on a terminal or on its reader instead of being drawn.
    static let hostile: [String] = [
        "\u{1B}[31m", "\u{1B}]52;c;cm0gLXJm\u{07}", "\u{1B}]0;title\u{1B}\\", "\u{1B}Pq\u{1B}\\", "\u{9B}2J",
        "\u{9D}52;c;eA==\u{9C}", "\u{0}", "\u{8}\u{8}", "\r", "\u{7F}", "\u{85}", "\u{E}",
        "\u{202E}gpj.exe", "\u{2066}a\u{2069}", "\u{200E}", "\u{61C}", "\u{200B}", "\u{FEFF}", "\u{AD}", "\u{2060}",
        "\u{2028}", "\u{2029}", "\u{E0041}", "\u{FFF9}", "\u{E01FF}\u{E0080}",
    ]

    private func unsafe(_ text: String) -> [Unicode.Scalar] { text.unicodeScalars.filter(TerminalText.isUnsafe) }

    // By its place: the test runner prints arguments, and this must not act on its terminal.
    @Test("no hostile text reaches a terminal as it is, however it is shown", arguments: hostile.indices)
    func hostileText(index: Int) throws {
        let name = "a\(Self.hostile[index])z"
        #expect(!TerminalText.isSafe(name))
        for shown in [
            TerminalText.line(name), TerminalText.block(name), TerminalText.name(name),
            TerminalText.json("\"\(name)\""),
        ] {
            #expect(unsafe(shown) == [])
        }
        // The decoder of a script gets the text that was sent.
        let quoted = TerminalText.json(JSONValue.string(name).canonicalText)
        #expect(try JSONValue(parsing: quoted.utf8) == .string(name))
        let value: JSONValue = .object([name: [.string(name), 7, nil, true]])
        #expect(unsafe(value.forTerminal.canonicalText) == [])
    }

    @Test("a line break in a name makes one row, and rows stay where rows are meant")
    func rows() {
        #expect(TerminalText.line("a\nb\tc") == "a\\nb\\tc")
        #expect(TerminalText.block("a\nb\tc\r\u{1B}[2J") == "a\nb\tc\\r\\e[2J")
        #expect(TerminalText.line("\u{9B}\u{202E}\u{E0041}") == "\\u009b\\u202e\\U000e0041")
    }

    @Test(
        "people's languages stay as they are",
        arguments: [
            "Büro – Größe", "نمی\u{200C}خواهم", "क्\u{200D}ष", "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "한국어", "e\u{301}",
            "日本 語",
            "שלום",
        ]
    )
    func languages(text: String) {
        #expect(TerminalText.isSafe(text))
        #expect(TerminalText.line(text) == text)
        #expect(TerminalText.json(text) == text)
    }

    /// As printed by `ls --quoting-style=shell-escape`, with `\e` and `\u` where that counts in octal bytes.
    @Test("names are quoted as ls quotes them")
    func names() {
        let samples = [
            ("plain.txt", "plain.txt"), ("two words", "'two words'"), ("it's", "\"it's\""), ("$HOME", "'$HOME'"),
            ("it's $5", "'it'\\''s $5'"), ("a\nb", "'a'$'\\n''b'"), ("\u{1B}[31mred", "''$'\\e''[31mred'"),
            ("\u{1B}\u{7}", "''$'\\e\\a'"), ("~", "'~'"), ("a~", "a~"), ("#a", "'#a'"), ("a#", "a#"), ("", "''"),
            ("say \"hi\"", "'say \"hi\"'"), ("back\\slash", "'back\\slash'"), ("a\u{202E}b", "'a'$'\\u202e''b'"),
            ("a;b", "'a;b'"), ("*?", "'*?'"), ("größe", "größe"), ("a\u{A0}b", "'a\u{A0}b'"), ("-rf", "-rf"),
            ("it's\nx", "'it'\\''s'$'\\n''x'"),
        ]
        for (name, shown) in samples { #expect(TerminalText.name(name) == shown) }
    }

    @Test("a text is broken at its spaces, with its later rows set in, and no word is broken")
    func brokenRows() {
        let text = "one two three four five six seven"
        #expect(TerminalText.rows(text, width: 24) == "one two three four five\nsix seven")
        #expect(TerminalText.rows(text, width: 24, from: 4, indent: 4) == "one two three four\n    five six seven")
        #expect(TerminalText.rows("日本語 日本語 日本語 日本語", width: 20) == "日本語 日本語 日本語\n日本語")
        let link = "open https://example.org/a/long/path/that/has/no/room now"
        #expect(TerminalText.rows(link, width: 24) == "open\nhttps://example.org/a/long/path/that/has/no/room\nnow")
        for width in [nil, 33, 19] { #expect(TerminalText.rows(text, width: width) == text) }
        #expect(TerminalText.rows("", width: 24) == "")
    }

    @Test(
        "room is measured as terminals draw",
        arguments: [
            ("abc", 3), ("Büro", 4), ("Bu\u{308}ro", 4), ("日本", 4), ("한국어", 6), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("ｶ", 1),
            ("Ａ", 2), ("😀", 2), ("👩\u{200D}👩\u{200D}👧", 2), ("👩🏽", 2), ("🏳\u{FE0F}\u{200D}🌈", 2), ("❤", 1),
            ("❤\u{FE0F}", 2),
            ("🇩🇪", 2), ("नमस्ते", 4), ("क्\u{200D}ष", 2), ("نمی\u{200C}خواهم", 8), ("שלום", 4), ("", 0),
            ("a\u{200B}b", 2), ("⌚", 2), ("𠀀", 2),
        ]
    )
    func columns(text: String, columns: Int) {
        #expect(TerminalText.columns(text) == columns)
        #expect(TerminalText.columns(TerminalText.padded(text, to: 12)) == 12)
        #expect(TerminalText.padded(text, to: columns) == text)
    }
}
