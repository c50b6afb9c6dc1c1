import KernelTesting
import Testing

@testable import Terminal
@testable import TerminalHost

@Suite("Terminal state")
struct TerminalStateTests {
    private func state(_ text: String) -> TerminalState {
        var state = TerminalState()
        state.read(text)
        return state
    }

    @Test(
        "what a program has switched is switched again, and what it switched back is not",
        arguments: [
            ("\u{1B}[?1049h", "\u{1B}[?1049h"), ("\u{1B}[?1002;1006h", "\u{1B}[?1006h\u{1B}[?1002h"),
            ("\u{1B}[?2004h", "\u{1B}[?2004h"), ("\u{1B}[?1h\u{1B}=", "\u{1B}[?1h"), ("\u{1B}=", "\u{1B}="),
            ("\u{1B}]0;my program\u{07}", "\u{1B}]2;my program\u{07}"),
            ("\u{1B}]2;by ST\u{1B}\\", "\u{1B}]2;by ST\u{07}"),
            ("\u{1B}[1;38;5;12m", "\u{1B}[0;1;38;5;12m"), ("\u{1B}[48;2;1;2;3;4:3m", "\u{1B}[0;4:3;48;2;1;2;3m"),
            ("\u{1B}[3;20r", "\u{1B}[3;20r"), ("\u{1B})0\u{0E}", "\u{1B})0"), ("\u{0E}", "\u{0E}"),
            ("\u{1B}[?25l", "\u{1B}[?25l"), ("\u{1B}[5 q", "\u{1B}[5 q"), ("\u{1B}[4h", "\u{1B}[4h"),
            ("\u{9B}?1000h", "\u{1B}[?1000h"), ("\u{9D}2;C1\u{9C}", "\u{1B}]2;C1\u{07}"),
            ("\u{1B}[31m\u{1B}7\u{1B}[0m\u{1B}8", "\u{1B}[0;31m"),
            ("\u{1B}]2;a\u{07}\u{1B}[22;0;0t\u{1B}]2;b\u{07}\u{1B}[23;0;0t", "\u{1B}]2;a\u{07}"),
        ]
    )
    func switched(written: String, sequence: String) {
        #expect(state(written).sequence.contains(sequence))
        #expect(state(written) != TerminalState())
        // A screen that is brought here and follows is in the same state as one that saw all of it.
        #expect(state(state(written).sequence).sequence == state(written).sequence)
    }

    @Test(
        "what was switched back leaves no trace",
        arguments: [
            "text only\r\n😀", "\u{1B}[?1049h\u{1B}[?1049l\u{1B}[0m", "\u{1B}[1;4;31m\u{1B}[22;24;39m",
            "\u{1B}[?1002h\u{1B}[?1002l", "\u{1B}[2;9r\u{1B}[r", "\u{0E}\u{0F}",
            "\u{1B}[?1h\u{1B}[31m\u{1B}]2;x\u{07}\u{1B}c",
            "\u{1B}]52;c;aGk=\u{07}", "\u{1B}P1$r31m\u{1B}\\", "\u{1B}[3\u{18}1m",
        ]
    )
    func nothing(written: String) {
        var fresh = TerminalState()
        fresh.read("\u{1B}7")
        let sequence = state(written).sequence
        #expect(sequence == TerminalState().sequence || sequence == fresh.sequence)
    }

    @Test(
        "the last row with words is found, as it would be read",
        arguments: [
            ("make\r\n[1/9] a.o\r\n", "[1/9] a.o"), ("10 %\r20 %\r30 %", "30 %"), ("30 %\r", "30 %"),
            ("\u{1B}[1;32mada@box\u{1B}[0m:\u{1B}[34m~\u{1B}[0m$ ", "ada@box:~$"),
            ("a\u{1B}]0;title\u{07}b\n\n \n", "ab"),
            ("\u{1B}]8;;http://x/\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"), ("lx\u{08}s", "ls"), ("\u{9B}31mred", "red"),
            ("\u{1B}(Bplain", "plain"), ("a\tb", "a b"), (" \r\n\u{1B}[K\r\n", nil), ("", nil),
            ("vi\n\u{1B}[?1049hfile", nil),
            ("\u{1B}[?1049hfile\u{1B}[?1049lback", "back"), (String(repeating: "é", count: 9000), nil),
            ("x\n" + String(repeating: "é", count: 300), String(repeating: "é", count: 200)),
        ] as [(String, String?)]
    )
    func lastLine(written: String, line: String?) {
        var ring = TerminalRing()
        for character in written { ring.append(String(character)) }
        #expect(ring.lastLine == line)
    }

    @Test("output cut at every place leaves the same state, and a sequence that is cut goes on")
    func cuts() {
        let text =
            "\u{1B}[?1049h\u{1B}[1;38;2;1;2;3mé\u{9B}?2004h\u{1B}]2;tïtle\u{1B}\\\u{1B}(0\u{1B}[2;5r😀\u{1B}[?1003h"
        let whole = state(text)
        let scalars = Array(text.unicodeScalars)
        for cut in 0...scalars.count {
            var first = String.UnicodeScalarView()
            first.append(contentsOf: scalars[..<cut])
            var rest = String.UnicodeScalarView()
            rest.append(contentsOf: scalars[cut...])
            var state = state(String(first))
            let viewer = self.state(state.sequence + String(rest))
            state.read(String(rest))
            #expect(state == whole)
            #expect(viewer.sequence == whole.sequence, "cut at \(cut)")
        }
    }

    @Test("whatever is written, what is kept of it is bounded and its state can be sent")
    func bounds() {
        var random = SeededGenerator(seed: 11)
        let letters = Array("\u{1B}[]?;:0123456789hlmrtqPX\\\u{07}\u{18}\u{9B}\u{9D}\u{C2}é😀 !(cn78".unicodeScalars)
        for _ in 0..<500 {
            var text = String.UnicodeScalarView()
            for _ in 0..<200 { text.append(letters[Int.random(in: 0..<letters.count, using: &random)]) }
            let state = state(String(text))
            #expect(self.state(state.sequence).sequence == state.sequence)
        }
        for begin in ["\u{1B}]2;", "\u{1B}P", "\u{1B}[", "\u{1B}[?", "\u{1B}("] {
            let state = state(begin + String(repeating: "1", count: 1_000_000))
            #expect(state.sequence.utf8.count < 4096)
        }
        let many = state(
            String(repeating: "\u{1B}[22t", count: 1000) + "\u{1B}[" + String(repeating: "1;", count: 900) + "m"
        )
        #expect(many.sequence.utf8.count < 4096)
    }

    @Test(
        "history that begins in the middle says what was switched before, also behind another size and what was dropped"
    )
    func history() {
        var ring = TerminalRing()
        ring.append("\u{1B}[?1049h\u{1B}[?1002h\u{1B}[2;9r")
        ring.append(String(repeating: "x", count: 500_000))
        ring.append("\u{1B}[?2004h\u{1B}[31")
        ring.seal()
        ring.append("mred")
        #expect(ring.firstSeq > 1)
        let all = TerminalHistory(of: ring, from: 1)
        #expect(all.isTruncated && all.state?.contains("\u{1B}[?1049h") == true)
        #expect(all.state?.contains("\u{1B}[?2004h") == false, "that came later")
        #expect(all.state?.contains("\u{1B}[2;9r") == true)
        let newest = TerminalHistory(of: ring, from: 0)
        #expect(!newest.isTruncated && newest.state?.contains("\u{1B}[?1002h") == true)
        #expect(TerminalHistory(of: ring, from: ring.lastSeq).state == nil, "who goes on has it")
        #expect(ring.state(before: ring.lastSeq).sequence.hasSuffix("\u{1B}[31"))
        ring.resized()
        ring.append("after")
        #expect(!ring.state(before: ring.lastSeq).sequence.contains("\u{1B}[2;9r"))
    }
}
