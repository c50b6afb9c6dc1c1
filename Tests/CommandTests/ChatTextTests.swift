import ChatClient
import Foundation
import Kernel
import Testing

@testable import TandemCommands

@Suite("How chats are printed")
struct ChatTextTests {
    private func text(width: Int? = nil) -> ChatText {
        ChatText(style: .off, width: width, timeZone: .gmt)
    }

    private func row(_ members: [String: JSONValue] = [:]) throws -> ChatControl.ConversationEntry {
        try ChatSample.row(members).decode(as: ChatControl.ConversationEntry.self)
    }

    private func rows(_ message: JSONValue, _ members: [String: JSONValue] = [:], width: Int? = nil) throws -> [String]
    {
        try text(width: width).rows(message.decode(as: ChatControl.MessageEntry.self), in: row(members))
    }

    @Test("own messages say what became of them")
    func ticks() throws {
        let members: [String: JSONValue] = ["receivedByPeer": 6, "readByPeer": 4]
        func ending(_ message: [String: JSONValue]) throws -> String {
            String(try rows(ChatSample.own(message), members)[0].dropFirst("14:13  you: Hello".count))
        }
        #expect(try ending(["status": "sending", "seq": .null, "progress": 0]) == "  …")
        #expect(try ending(["status": "sending", "seq": .null, "progress": .number(0.42)]) == "  … 42 %")
        #expect(try ending(["seq": 7]) == "  ✓")
        #expect(try ending(["seq": 6]) == "  ✓✓")
        #expect(try ending(["seq": 4]) == "  ✓✓ read")
        let failed = try rows(ChatSample.own(["status": "failed", "error": "They blocked you.\nReally."]))
        #expect(failed[0].hasSuffix("you: Hello  not sent"))
        #expect(failed[1] == "       ! They blocked you.\\nReally.")
        #expect(try rows(ChatSample.message())[0] == "14:13  Ada: Hello")
    }

    @Test("nothing that a peer writes looks like another message or acts on the terminal", arguments: [nil, 40, 80])
    func hostile(width: Int?) throws {
        let words =
            "Hi\n12:00  you: I agree\u{1B}[1A\r" + String(repeating: "\u{A0}", count: 60)
            + "12:01  you: yes\u{2028}\u{202E}"
        let printed = try rows(ChatSample.message(["text": .string(words)]), ["name": "Ada\n12:00  you"], width: width)
        #expect(printed[0].hasPrefix("14:13  Ada\\n12:00  you: Hi"))
        for line in printed.dropFirst() { #expect(line.hasPrefix("       ")) }
        #expect(printed.allSatisfy { TerminalText.isSafe($0) && !$0.contains("\u{A0}") })
    }

    @Test("words are broken at the window's width", arguments: [40, 80])
    func wrapped(width: Int) throws {
        let words = String(repeating: "wörds 漢字 ", count: 30)
        let printed = try rows(ChatSample.message(["text": .string(words)]), width: width)
        #expect(printed.count > 3)
        #expect(printed.allSatisfy { TerminalText.columns($0) <= width })
        #expect(printed.dropFirst().allSatisfy { $0.hasPrefix("       ") })
    }

    @Test("every kind of message has words")
    func kinds() throws {
        func body(_ members: [String: JSONValue]) throws -> [String] {
            try rows(ChatSample.message(["text": ""].merging(members) { $1 })).map { String($0.dropFirst(7)) }
        }
        let picture: JSONValue = ["width": 640, "height": .null, "blurHash": .null, "isExpired": true]
        #expect(try body(["kind": "image", "pictures": [picture]]) == ["Ada: [picture, expired]"])
        #expect(try body(["kind": "image"]) == ["Ada: [picture]"])
        #expect(
            try body(["kind": "flash", "flash": "closed"]) == [
                "Ada: [view-once picture, not opened: it can be seen once]"
            ]
        )
        #expect(try body(["kind": "flash", "flash": "viewedByPeer"]) == ["Ada: [view-once picture, they viewed it]"])
        let voice: JSONValue = ["seconds": 65, "waveform": [0, 50, 100, 999, -4], "isExpired": false]
        #expect(try body(["kind": "voice", "voice": voice]) == ["Ada: [voice note 1:05 ▁▄██▁]"])
        let many: JSONValue = ["seconds": .null, "waveform": .array((0..<64).map { .integer($0) }), "isExpired": false]
        let bars = try body(["kind": "voice", "voice": many])[0].filter { "▁▂▃▄▅▆▇█".contains($0) }
        #expect(bars.count == 24)
        let quote: JSONValue = ["id": "41", "content": "Coffee?\nToday?", "reply": "Yes"]
        #expect(try body(["kind": "quote", "quote": quote, "text": "Yes"]) == ["Ada: > Coffee?", "> Today?", "Yes"])
        #expect(try body(["kind": "recalled"]) == ["Ada: [recalled]"])
        let unknown = try body(["kind": "unknown"])
        #expect(unknown[0].contains("does not know"))
        #expect(
            try body(["kind": "unknown", "trouble": "keyGone"]) == [
                "Ada: [not readable here]", "! The key that opens it is gone.",
            ]
        )
        let clear = try body(["text": "a", "isUnexpectedlyClear": true])
        #expect(clear[1].hasPrefix("! It was not sealed"))
    }

    @Test("a day is said once, in the person's time zone")
    func days() throws {
        func message(_ time: Int64) throws -> ChatControl.MessageEntry {
            try ChatSample.message(["time": .integer(time)]).decode(as: ChatControl.MessageEntry.self)
        }
        let first = try message(1_790_000_000_000)
        #expect(text().day(of: first, after: nil)?.contains("2026") == true)
        #expect(try text().day(of: message(1_790_000_060_000), after: first) == nil)
        #expect(try text().day(of: message(1_790_086_400_000), after: first) != nil)
        // Half past eleven in the evening of one place is the next day's morning in another.
        let late = try message(1_790_033_400_000)
        let east = ChatText(style: .off, width: nil, timeZone: try #require(TimeZone(secondsFromGMT: 7200)))
        #expect(text().day(of: late, after: first) == nil)
        #expect(east.day(of: late, after: first) != nil)
    }

    @Test("a conversation's heading says whether it is sealed, and what keeps words from going")
    func heading() throws {
        #expect(try text().heading(row()) == ["Ada  tb_7 · sealed, safety number not compared"])
        func second(_ members: [String: JSONValue]) throws -> String { try text().heading(row(members))[1] }
        let clear = try text().heading(row(["isSealed": false]))
        #expect(clear[0].hasSuffix("not sealed: who runs the hub can read it"))
        let (asked, began, blocked) = try (
            second(["request": "incoming"]), second(["trouble": "restarted"]), second(["isBlocked": true])
        )
        #expect(asked.contains("tandem chat accept tb_7"))
        #expect(began.contains("tandem chat agree tb_7 --new-keys"))
        #expect(blocked.contains("tandem chat block tb_7 --off"))
    }
}
