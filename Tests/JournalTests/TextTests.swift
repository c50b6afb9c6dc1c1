import Testing

@testable import Journal

@Suite("Texts of the journal", .timeLimit(.minutes(2)))
struct TextTests {
    @Test("a part of a text is found at its beginning, at its end, and nowhere else")
    func contains() {
        for text in ["media://", "x media://y", "y://media://", "media:/media://"] {
            #expect(TextBytes.contains("media://", in: text), "\(text)")
        }
        for text in ["", "media:/", "edia://", "/////", "médía://"] {
            #expect(!TextBytes.contains("media://", in: text), "\(text)")
        }
    }

    @Test("line ends become those of Unix, and nothing else changes")
    func lines() {
        #expect(TextBytes.unixLines("a\r\nb\r\n\r\nc\rd\r") == "a\nb\n\nc\rd\r")
        #expect(TextBytes.unixLines("é\nb") == "é\nb")
    }

    @Test("a plain text keeps its letters, one empty line between others, and none around them")
    func plain() {
        #expect(MarkdownText.plain("") == "" && MarkdownText.plain("***\n\n```") == "")
        #expect(MarkdownText.plain("\n# 今天 *天气*\n\n\n> b  \n") == "今天 天气\n\nb")
        #expect(MarkdownText.plain("a\\*b ~~c~~ [d](e(f) [g](h") == "a*b c d(e(f) g(h")
        #expect(MarkdownText.plain("line \r\nnext") == "line\nnext")
    }

    @Test("a title is the first line with anything in it, cut at so many characters")
    func title() {
        #expect(MarkdownText.title(" \n\nfirst\nsecond") == "first" && MarkdownText.title("\n ") == "")
        #expect(MarkdownText.title(String(repeating: "é", count: 10), limit: 10).count == 10)
        #expect(
            MarkdownText.title(String(repeating: "é", count: 11), limit: 10) == String(repeating: "é", count: 9) + "…"
        )
    }
}
