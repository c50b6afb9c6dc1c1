import Conversations
import KernelTesting
import Testing

@Suite("Texts on one line", .timeLimit(.minutes(4))) struct ShortTextTests {
    /// The rule without any shortcut.
    private func line(_ text: String, limit: Int) -> String {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let kept = words.prefix(limit)
        return kept.endIndex == words.endIndex ? words : kept + "…"
    }

    @Test("white space is joined and long texts are cut, also where marks join what is beside them", arguments: 0..<8)
    func property(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ascii = ["a", "Z", "word", " ", "  ", "\t", "\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{1C}", "\u{7F}", "\0"]
        let other = ["é", "e\u{301}", "\u{301}", "漢", "👩‍👩‍👧", "\u{200D}", "\u{2028}", "\u{85}", "\u{A0}", "\u{3000}", "🇩🇪"]
        for round in 0..<300 {
            let pieces = round % 3 == 0 ? ascii : ascii + other
            let count = Int.random(in: 0...40, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            for limit in [1, 2, 5, 10, 200] {
                #expect(
                    ShortText.line(text, limit: limit) == line(text, limit: limit),
                    "\(text.debugDescription) \(limit)"
                )
            }
        }
    }
}
