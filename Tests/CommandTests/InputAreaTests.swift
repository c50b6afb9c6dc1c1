import Kernel
import Testing

@testable import TandemCommands

@Suite("The last rows of an open conversation")
struct InputAreaTests {
    private func line(_ text: String) -> LineEditor { LineEditor(text, byteLimit: 1000) }

    @Test("what is printed goes above, and the area is drawn anew below it")
    func above() {
        var area = InputArea()
        let first = area.draw(status: "", prompt: "> ", editor: line("hi"), columns: 40, style: .off)
        #expect(first == "> hi\r\u{1B}[4C")
        let second = area.draw(
            printing: ["one", "two"],
            status: "Ada is typing…",
            prompt: "> ",
            editor: line("hi"),
            columns: 40,
            style: .off
        )
        #expect(second == "\r\u{1B}[Jone\r\ntwo\r\nAda is typing…\r\n> hi\r\u{1B}[4C")
        #expect(area.erase() == "\r\u{1B}[1A\u{1B}[J")
        #expect(area.erase() == "")
    }

    @Test("the area takes no more columns than the window has", arguments: [6, 10, 80])
    func narrow(columns: Int) {
        var area = InputArea()
        let drawn = area.draw(
            status: "漢字 is typing something long…",
            prompt: "> ",
            editor: line("some words and 漢字 behind"),
            columns: columns,
            style: .off
        )
        let rows = drawn.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(rows.count == 2)
        for row in rows {
            let shown = row.prefix { $0 != "\r" }
            #expect(TerminalText.columns(String(shown)) < columns)
        }
    }
}
