import SavedCommands
import Testing

@testable import SavedCommandsHost

struct KeptOutputTests {
    @Test(
        "control sequences are taken out",
        arguments: [
            ("\u{1b}[1;31mred\u{1b}[0m", "red"), ("\u{1b}]0;title\u{7}text", "text"),
            ("\u{1b}]8;;https://a.example\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"), ("a\r\nb", "a\nb"),
            ("10%\r20%\r\r\n", "10%\n20%\n"),
            ("\u{1b}(Btext", "text"), ("bell\u{7}\u{8}\u{0}", "bell"), ("tab\té漢🙂", "tab\té漢🙂"),
        ]
    )
    func filtered(printed: String, text: String) {
        var whole = KeptOutput()
        whole.append(printed.utf8)
        #expect(whole.part(from: 0, isEnded: true).text == text)
        // Each byte in a part of its own gives the same.
        var split = KeptOutput()
        for byte in printed.utf8 { split.append([byte]) }
        #expect(split.part(from: 0, isEnded: true).text == text)
    }

    @Test("the oldest bytes go, and their places are told")
    func bounded() {
        var output = KeptOutput(limit: 4)
        output.append("abcdef".utf8)
        #expect(
            output.part(from: 0, isEnded: true) == CommandOutput(offset: 2, next: 6, text: "cdef", isComplete: true)
        )
        #expect(output.part(from: 9, isEnded: false) == CommandOutput(offset: 6, next: 6, text: "", isComplete: false))
    }

    @Test("a part ends between characters, and the next goes on where it ended")
    func characters() {
        var output = KeptOutput()
        output.append("aa漢b".utf8)
        let first = output.part(from: 0, limit: 4, isEnded: true)
        #expect(first == CommandOutput(offset: 0, next: 2, text: "aa", isComplete: false))
        let second = output.part(from: first.next, limit: 4, isEnded: true)
        #expect(second == CommandOutput(offset: 2, next: 6, text: "漢b", isComplete: true))
    }

    @Test("a character that is half printed waits for its rest, and is replaced when none comes")
    func unfinished() {
        var output = KeptOutput()
        output.append("a漢".utf8.dropLast())
        #expect(output.part(from: 0, isEnded: false).text == "a")
        #expect(output.part(from: 0, isEnded: true).text == "a\u{fffd}")
    }
}
