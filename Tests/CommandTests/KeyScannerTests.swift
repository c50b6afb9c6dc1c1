import Terminal
import Testing

@testable import TandemCommands

@Suite("What is typed into a terminal", .timeLimit(.minutes(4)))
struct KeyScannerTests {
    private func text(_ inputs: [TerminalControl.Input]) -> String {
        inputs.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    @Test("a script's last line is finished at its end, whole ones stay as they are")
    func end() {
        var open = KeyScanner(watchesEscape: false)
        #expect(text(open.inputs(for: Array("exit 3".utf8))) == "exit 3")
        #expect(open.end() == [.text("\n")])
        var whole = KeyScanner(watchesEscape: false)
        _ = whole.inputs(for: Array("exit 3\n".utf8))
        #expect(whole.end() == [])
        var empty = KeyScanner(watchesEscape: false)
        #expect(empty.end() == [])
        #expect(KeyScanner.endOfInput == .text("\u{4}"))
    }

    @Test("a person's terminal that is closed leaves the shell running")
    func closedTerminal() {
        var scanner = KeyScanner(watchesEscape: true)
        _ = scanner.inputs(for: Array("make".utf8))
        #expect(scanner.end() == [.detach])
    }

    @Test("~. at the start of a line detaches, in a script it is text")
    func escape() {
        var person = KeyScanner(watchesEscape: true)
        #expect(person.inputs(for: Array("ls\r~.".utf8)) == [.text("ls\r"), .detach])
        #expect(text(person.inputs(for: Array("a~.".utf8))) == "a~.")
        #expect(text(person.inputs(for: Array("\r~~".utf8))) == "\r~")
        var script = KeyScanner(watchesEscape: false)
        #expect(text(script.inputs(for: Array("\n~.".utf8))) == "\n~.")
    }

    @Test("a character that comes in parts is passed on whole")
    func parts() {
        var scanner = KeyScanner(watchesEscape: false)
        let bytes = Array("ü😀".utf8)
        let said = bytes.map { text(scanner.inputs(for: [$0])) }
        #expect(said == ["", "ü", "", "", "", "😀"])
    }
}
