import Testing

@testable import DesktopNotifications

@Suite("The text of a notification's body", .timeLimit(.minutes(4)))
struct MarkupTextTests {
    @Test(
        "tags go, entities are read once, and text that only looks like them stays",
        arguments: [
            ("", ""),
            ("Lunch at 12?", "Lunch at 12?"),
            ("<b>Ada</b> wrote <i>you</i>", "Ada wrote you"),
            ("<B>Ada</B >", "Ada"),
            (#"<a href="https://example.org/?a=1&amp;b=2">See</a>"#, "See"),
            (#"<a title="a > b">See</a>"#, "See"),
            (#"Look <img src="/tmp/x.png" alt="a &quot;cat&quot;"/> here"#, "Look a \"cat\" here"),
            ("<img src='/tmp/x.png' alt='a cat'>", "a cat"),
            ("<img src='/tmp/x.png'>gone", "gone"),
            ("one<br>two<br/>three<BR />four", "one\ntwo\nthree\nfour"),
            ("<p>one</p><p>two</p>", "one\ntwo"),
            ("<ul><li>one</li><li>two</li></ul>", "one\ntwo"),
            ("a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;", "a <b> & \"c\" 'd'"),
            ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
            ("Wait&hellip; it&rsquo;s done &mdash; &euro;5&nbsp;&rarr;&NotEqualTilde;", "Wait… it’s done — €5 →≂̸"),
            ("&CounterClockwiseContourIntegral;&hellip", "∳&hellip"),
            ("&#39;&#x27;&#X4e2d;&#128512;", "''中😀"),
            ("&#0;&#x1b;[31m&#xD800;&#99999999;", "[31m&#xD800;&#99999999;"),
            ("R&D, a & b; &unknown; &", "R&D, a & b; &unknown; &"),
            ("1 < 2 and 3 > 2, <3", "1 < 2 and 3 > 2, <3"),
            ("Bo <bo@example.org> <unknown>x</unknown>", "Bo <bo@example.org> <unknown>x</unknown>"),
            ("<b", "<b"),
            ("<b <b <b>x", "<b <b x"),
            ("<br\"", "<br\""),
            ("</", "</"),
            ("<>", "<>"),
            ("\u{1B}]0;title\u{7}bell\u{0}\u{9B}", "]0;titlebell"),
            ("\n\n one\ttwo \n", " one\ttwo"),
        ]
    )
    func table(markup: String, text: String) {
        #expect(MarkupText.plain(markup) == text)
    }

    @Test("a body of a mebibyte is cut at a character, whatever it is full of")
    func long() {
        #expect(MarkupText.plain(String(repeating: "x", count: 1 << 20)).utf8.count == BusNotification.bodyLimit)
        let characters = MarkupText.plain(String(repeating: "中", count: 1 << 19))
        #expect(characters == String(repeating: "中", count: BusNotification.bodyLimit / 3))
        #expect(MarkupText.plain(String(repeating: "<b>", count: 1 << 19)).isEmpty)
        let open = MarkupText.plain(String(repeating: "<a ", count: 1 << 19))
        #expect(open.utf8.count <= BusNotification.bodyLimit)
        #expect(MarkupText.plain(String(repeating: "&", count: 1 << 19)).utf8.count == BusNotification.bodyLimit)
    }

    @Test("all names of HTML are known")
    func names() {
        #expect(HTMLEntities.count == 2125)
    }

    @Test("what is plain already stays, but for what is not shown")
    func shown() {
        #expect(MarkupText.shown("\nwrite <p> and &lt; in HTML\u{1B}\n") == "write <p> and &lt; in HTML")
    }

    @Test("plain text comes back from its markup", arguments: ["a < b & c > d", "<b>bold</b>", "&lt;"])
    func escaped(text: String) {
        #expect(MarkupText.plain(MarkupText.escaped(text)) == text)
    }
}
