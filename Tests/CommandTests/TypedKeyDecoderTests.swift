import Testing

@testable import TandemCommands

@Suite("Keys of a terminal")
struct TypedKeyDecoderTests {
    private func keys(_ text: String) -> [TypedKey] {
        var decoder = TypedKeyDecoder()
        return decoder.keys(Array(text.utf8))
    }

    @Test("characters come as text, and what is no text as keys")
    func plain() {
        #expect(keys("ab\u{7F}\r") == [.text("ab"), .backspace, .enter])
        #expect(
            keys("\u{1}\u{5}\u{17}\u{15}\u{B}\u{3}\u{4}\n") == [
                .home, .end, .deleteWord, .deleteToStart, .deleteToEnd, .interrupt, .endOfInput, .newline,
            ]
        )
        #expect(
            keys("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D\u{1B}[1;5C\u{1B}[1;3D\u{1B}[H\u{1B}[F\u{1B}[3~") == [
                .up, .down, .right, .left, .wordRight, .wordLeft, .home, .end, .delete,
            ]
        )
        #expect(keys("\u{1B}\r\u{1B}b\u{1B}f\u{1B}\u{7F}") == [.newline, .wordLeft, .wordRight, .deleteWord])
    }

    @Test("bytes of one key may come in any pieces")
    func pieces() {
        let text = "é漢😀\u{1B}[1;5C\u{1B}[200~a\r\nb\u{1B}[201~x"
        let whole = keys(text)
        #expect(whole == [.text("é漢😀"), .wordRight, .pasted("a\nb"), .text("x")])
        var decoder = TypedKeyDecoder()
        let single = text.utf8.flatMap { decoder.keys([$0]) }
        #expect(single == [.text("é"), .text("漢"), .text("😀"), .wordRight, .pasted("a\nb"), .text("x")])
    }

    @Test("sequences that mean nothing here, and such as are too long, are left out")
    func unknown() {
        #expect(keys("\u{1B}[15~\u{1B}[?1;2c\u{1B}xa") == [.text("a")])
        let long = "\u{1B}[" + String(repeating: "1", count: 33)
        #expect(keys(long + "a") == [.text("a")])
    }

    @Test("bytes that are no UTF-8 become the sign for that")
    func damaged() {
        var decoder = TypedKeyDecoder()
        #expect(decoder.keys([0xC3, 0x61]) == [.text("\u{FFFD}a")])
        #expect(decoder.keys([0xC3, 0x0D]) == [.enter])
        #expect(decoder.keys([0x80]) == [.text("\u{FFFD}")])
    }

    @Test("pasted text is one piece, with escapes taken out, and has an end")
    func paste() {
        #expect(keys("\u{1B}[200~a\u{1B}[2b\u{1B}\u{1B}[201~") == [.pasted("a\u{1B}[2b\u{1B}")])
        let much = String(repeating: "x", count: TypedKeyDecoder.pasteLimit + 10)
        guard case .pasted(let kept)? = keys("\u{1B}[200~\(much)\u{1B}[201~").first else {
            Issue.record("nothing was pasted")
            return
        }
        #expect(kept.utf8.count == TypedKeyDecoder.pasteLimit)
    }
}
