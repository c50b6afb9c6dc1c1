import Kernel
import Testing

@testable import TandemCommands

@Suite("The line that a person writes in")
struct LineEditorTests {
    private func editor(_ keys: [TypedKey], limit: Int = 1000) -> LineEditor {
        var editor = LineEditor(byteLimit: limit)
        for key in keys { _ = editor.apply(key) }
        return editor
    }

    @Test("text goes in at the cursor, and is taken out before and behind it")
    func editing() {
        #expect(editor([.text("ad"), .left, .text("b"), .end, .text("c")]).text == "abdc")
        #expect(editor([.text("abc"), .left, .backspace, .delete]).text == "a")
        #expect(editor([.text("one two  three"), .wordLeft, .deleteWord]).text == "one three")
        #expect(editor([.text("one two"), .home, .wordRight, .deleteToEnd]).text == "one")
        #expect(editor([.text("one two"), .wordLeft, .deleteToStart]).text == "two")
        #expect(editor([.backspace, .delete, .left, .right, .deleteWord, .up, .down]).text == "")
    }

    @Test("a mark joins the character before it, and both go with one key")
    func combining() {
        var marked = editor([.text("e"), .text("\u{301}")])
        #expect(marked.text.count == 1)
        #expect(marked.window(columns: 10).cursor == 1)
        _ = marked.apply(.backspace)
        #expect(marked.text == "")
        #expect(editor([.text("👩"), .text("\u{200D}"), .text("🚀"), .backspace]).text == "")
    }

    @Test("what would act on the terminal is left out, line feeds stay")
    func safe() {
        #expect(editor([.pasted("a\u{1B}[2J\u{202E}b\tc\nd")]).text == "a[2Jb c\nd")
    }

    @Test("more than there is room for is not taken, and no character in part")
    func limit() {
        #expect(editor([.text("ab漢漢")], limit: 6).text == "ab漢")
        #expect(editor([.text("abc"), .text("d")], limit: 3).text == "abc")
    }

    @Test("a text is submitted once, a blank one never, and earlier ones come back")
    func history() {
        var editor = LineEditor(byteLimit: 100)
        _ = editor.apply(.text("  "))
        #expect(editor.apply(.enter) == .nothing)
        #expect(editor.text == "  ")
        _ = editor.apply(.deleteToStart)
        _ = editor.apply(.text("one"))
        #expect(editor.apply(.enter) == .submitted("one"))
        #expect(editor.text == "")
        _ = editor.apply(.pasted("two\nlines"))
        #expect(editor.apply(.enter) == .submitted("two\nlines"))
        _ = editor.apply(.text("now"))
        _ = editor.apply(.up)
        #expect(editor.text == "two\nlines")
        _ = editor.apply(.up)
        _ = editor.apply(.up)
        #expect(editor.text == "one")
        _ = editor.apply(.down)
        _ = editor.apply(.down)
        #expect(editor.text == "now")
    }

    @Test("Ctrl-C ends, Ctrl-D only where nothing is written")
    func ends() {
        var editor = LineEditor(byteLimit: 100)
        #expect(editor.apply(.endOfInput) == .ended)
        _ = editor.apply(.text("ab"))
        _ = editor.apply(.home)
        #expect(editor.apply(.endOfInput) == .changed)
        #expect(editor.text == "b")
        #expect(editor.apply(.interrupt) == .interrupted)
    }

    @Test("a row shows the part around the cursor, in columns", arguments: [4, 9, 20])
    func window(columns: Int) {
        var line = editor([.text("one 漢字 two 😀 three")])
        for key in [TypedKey.end, .left, .wordLeft, .wordLeft, .home] {
            _ = line.apply(key)
            let (text, cursor) = line.window(columns: columns)
            #expect(TerminalText.columns(text) < columns)
            #expect(cursor < columns && cursor <= TerminalText.columns(text))
        }
        #expect(editor([.text("a"), .newline, .text("b")]).window(columns: 9).text == "a⏎b")
    }
}
