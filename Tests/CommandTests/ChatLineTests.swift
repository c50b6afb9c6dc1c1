import Testing

@testable import TandemCommands

@Suite("Lines of an open conversation")
struct ChatLineTests {
    @Test("words are said, also with several lines and with a second slash before them")
    func words() {
        #expect(ChatLine("Hello /there") == .say("Hello /there"))
        #expect(ChatLine("one\ntwo") == .say("one\ntwo"))
        #expect(ChatLine("//etc is a folder") == .say("/etc is a folder"))
    }

    @Test(
        "commands have their words",
        arguments: [
            ("/help", .help), ("/", .help), ("/quit", .quit), ("/accept", .accept), ("/decline", .decline),
            ("/block", .block), ("/read", .read), ("/open 3", .open(3)), ("/open #3", .open(3)),
            ("/recall", .recall(nil)),
            ("/recall 12", .recall(12)), ("/resend", .resend(nil)), ("/resend #4", .resend(4)),
            ("/search the engine", .search("the engine")), ("/flash a.jpg", .flash("a.jpg")),
            ("/voice ~/a\\ b.ogg", .voice("~/a b.ogg")),
            ("/image 'a b.jpg' \"c d.jpg\" e.jpg", .image(["a b.jpg", "c d.jpg", "e.jpg"])),
            ("/quote 41 Yes, gladly", .quote(signal: "41", reply: "Yes, gladly")),
        ] as [(String, ChatLine)]
    )
    func commands(text: String, line: ChatLine) { #expect(ChatLine(text) == line) }

    @Test(
        "what is no command, or lacks its words, is told and never said",
        arguments: [
            "/etc/passwd", "/open", "/open x", "/open 0", "/recall x", "/flash", "/flash a b", "/image", "/search  ",
            "/quote 41",
        ]
    )
    func wrong(text: String) {
        guard case .wrong = ChatLine(text) else {
            Issue.record("\(ChatLine(text))")
            return
        }
    }

    @Test("the help names every command")
    func help() {
        for word in [
            "image", "flash", "voice", "open", "recall", "resend", "quote", "search", "accept", "decline", "block",
            "read", "quit",
        ] {
            #expect(ChatLine.helpText.contains("/\(word)"))
        }
        #expect(ChatLine.helpText.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
