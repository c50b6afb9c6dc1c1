import Chat
import Kernel
import Testing

@testable import ChatHub

@Suite("What the hub reads of a message that is sent")
struct MessageFactsTests {
    private func facts(_ payload: MessagePayload) throws -> MessageFacts { try MessageFacts(payload, isSilent: false) }

    @Test("B13: of a view-once picture readers get no key, sealed or not")
    func flash() throws {
        let clear = try facts(.flashImage(FlashImagePayload(objectKey: "chat/flash/a.jpg")))
        #expect(clear.kind == .flash(key: "chat/flash/a.jpg"))
        #expect(clear.pushText == "[闪照]")
        let sealed = try facts(.sealed(["type": "sealed", "v": 1, "body": "x", "flash": "chat/flash/sealed/a.bin"]))
        #expect(sealed.kind == .flash(key: "chat/flash/sealed/a.bin"))
        for facts in [clear, sealed] {
            let shown = String(decoding: try #require(facts.shownContent), as: UTF8.self)
            #expect(!shown.contains("chat/flash"))
        }
        #expect(String(decoding: try #require(sealed.shownContent), as: UTF8.self).contains("body"))
    }

    @Test("B15: the word that a picture was seen is no message that counts, and wakes nobody")
    func viewed() throws {
        let facts = try facts(.flashViewed(FlashViewedPayload(messageID: "m-1")))
        #expect(facts.kind == .flashViewed(target: "m-1"))
        #expect(!facts.isCountable && facts.pushText.isEmpty)
    }

    @Test("a custom type of a later client is kept as it came; a notice of a server's is refused")
    func others() throws {
        #expect(try facts(.unknown(.custom, ["data": #"{"type":"poll"}"#])).kind == .other)
        for type in [1000, 2101, 2200, 5000] {
            #expect(throws: ChatHubError.malformed("contentType")) {
                try facts(.unknown(ContentType(rawValue: type), ["detail": "{}"]))
            }
        }
    }

    @Test("words of a quote are found by a search, and all keys of several pictures count as references")
    func words() throws {
        let quote = SignalQuotePayload(signalID: "1", reply: "gladly", signalContent: "walk?")
        #expect(try facts(.signalQuote(quote)).searchText == "gladly")
        let images = MultiImagePayload(objectKeys: ["chat/image/a.jpg", "chat/image/b.jpg"])
        #expect(try facts(.multiImage(images)).objectKeys.count == 2)
        #expect(
            try facts(.sealed(["type": "sealed", "objects": ["chat/sealed/a.bin"]])).objectKeys == ["chat/sealed/a.bin"]
        )
    }
}
