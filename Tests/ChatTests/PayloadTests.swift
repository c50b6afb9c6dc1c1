import Kernel
import Testing

@testable import Chat

@Suite("Payloads of messages", .timeLimit(.minutes(4)))
struct PayloadTests {
    /// The documented payloads as a program sends them, and as they are written again.
    private static let documented: [(String, MessageType, String)] = [
        (
            #"{"type":"image","objectKey":"chat/image/2026/03/20/abc.jpg","url":"https://h/a?e=5","expireAt":"1790000000","w":"640","h":480.0}"#,
            .image,
            #"{"expireAt":1790000000,"h":480,"objectKey":"chat/image/2026/03/20/abc.jpg","type":"image","url":"https://h/a?e=5","w":640}"#
        ),
        (
            #"{"type":"flash_image","objectKey":"chat/flash/a.jpg"}"#, .flashImage,
            #"{"objectKey":"chat/flash/a.jpg","type":"flash_image"}"#
        ),
        (#"{"type":"flash_viewed","msgId":"m-1"}"#, .flashViewed, #"{"msgId":"m-1","type":"flash_viewed"}"#),
        (
            #"{"type":"multi_image","multiObjectKeys":["a","b"],"multiUrls":["",""],"expireAt":0}"#, .multiImage,
            #"{"multiObjectKeys":["a","b"],"multiUrls":["",""],"type":"multi_image"}"#
        ),
        (
            #"{"type":"audio","objectKey":"a.m4a","durationSec":"12"}"#, .voice,
            #"{"durationSec":12,"objectKey":"a.m4a","type":"audio"}"#
        ),
        (
            #"{"type":"signal_quote","signalId":31,"replyContent":"hi","signalContent":""}"#, .signalQuote,
            #"{"replyContent":"hi","signalContent":"","signalId":"31","type":"signal_quote"}"#
        ),
    ]

    @Test(
        "each documented payload is read from a request and from a stored message, and written in one form",
        arguments: documented
    )
    func documentedPayloads(text: String, type: MessageType, written: String) throws {
        let sent = MessagePayload(.custom, sent: .string(text))
        #expect(MessageType(sent) == type)
        #expect(sent.sentContent == written)
        try sent.check()
        #expect(MessagePayload(.custom, element: ["data": .string(text)]) == sent)
        #expect(MessagePayload(.custom, element: sent.element) == MessagePayload(.custom, sent: .string(written)))
        #expect(sent.element["data"] == .string(written))
    }

    @Test("members of other programs survive a round trip, beside those that are known")
    func otherMembers() {
        let text = #"{"blurhash":"LEHV6","objectKey":"a.jpg","type":"image","v":[1,{"x":null}]}"#
        #expect(MessagePayload(.custom, sent: .string(text)).sentContent == text)
    }

    @Test(
        "what is unknown or unreadable is kept as it came and shown as unknown, never dropped",
        arguments: [
            #"{"type":"poll","options":["a"]}"#, #"{"type":"image"}"#, #"{"type":7}"#, "not json", "", "[]", "{",
            #"{"type":"image","type":"image"}"#,
        ]
    )
    func unknown(text: String) {
        let payload = MessagePayload(.custom, sent: .string(text))
        #expect(MessageType(payload) == .unknown)
        #expect(payload.sentContent == text)
        #expect(payload.preview == "[未知消息类型]")
        #expect(throws: ChatError.malformed("content")) { try payload.check() }
        #expect(MessagePayload(ContentType(rawValue: 999), element: ["x": 1]).contentType.rawValue == 999)
    }

    @Test("a text that looks like JSON stays the text that was typed")
    func typedJSON() {
        let text = #"{"content":"x"}"#
        #expect(MessagePayload(.text, sent: .string(text)) == .text(text))
        #expect(MessagePayload(.text, sent: ["content": "x"]) == .text("x"))
    }

    @Test("JSON of hostile depth is unknown, and costs nothing")
    func depth() {
        let deep = String(repeating: "[", count: 100_000)
        let text = #"{"type":"image","objectKey":"a","x":"# + deep + "}"
        #expect(MessageType(MessagePayload(.custom, sent: .string(text))) == .unknown)
        let huge = #"{"type":"image","objectKey":"a","x":""# + String(repeating: "a", count: 10 << 20) + #""}"#
        #expect(MessageType(MessagePayload(.custom, sent: .string(huge))) == .unknown)
    }

    @Test(
        "each text and list has a bound, which is named",
        arguments: [
            (MessagePayload.text(String(repeating: "é", count: 8193)), ChatError.tooLong("content", limit: 16384)),
            (.text(" \n\u{3000}"), .blank),
            // Each quote takes four bytes once the text stands in a text.
            (.text(String(repeating: "\u{1}", count: 6000)), .tooLong("content", limit: 32768)),
            (.image(ImagePayload(objectKey: "../x")), .badObjectKey),
            (.image(ImagePayload(objectKey: "")), .malformed("objectKey")),
            (
                .flashViewed(FlashViewedPayload(messageID: String(repeating: "a", count: 129))),
                .tooLong("msgId", limit: 128)
            ),
            (.multiImage(MultiImagePayload(objectKeys: [])), .malformed("multiObjectKeys")),
            (
                .multiImage(MultiImagePayload(objectKeys: (0..<10).map { "k\($0)" })),
                .tooMany("multiObjectKeys", limit: 9)
            ),
            (.voice(VoicePayload(objectKey: "a", durationSeconds: 61)), .tooLong("durationSec", limit: 60)),
            (
                .voice(VoicePayload(objectKey: "a", durationSeconds: 1, waveform: Array(repeating: 1, count: 65))),
                .tooMany("waveform", limit: 64)
            ),
            (
                .signalQuote(
                    SignalQuotePayload(signalID: "1", reply: String(repeating: "a", count: 4097), signalContent: "")
                ), .tooLong("replyContent", limit: 4096)
            ),
        ]
    )
    func bounds(payload: MessagePayload, error: ChatError) {
        #expect(throws: error) { try payload.check() }
    }

    @Test("the largest text of any content fits into a frame of existing gateways")
    func frame() throws {
        let scene = try ChatScene()
        let largest = MessagePayload.text(String(repeating: "\"", count: 16384 - 10))
        try largest.check()
        var data = scene.data(String(repeating: "m", count: 128), from: scene.ada, at: 8_000_000_000_000_000, largest)
        data.senderNickname = String(repeating: "n", count: 256)
        data.senderFaceURL = String(repeating: "u", count: 2048)
        data.ex = String(repeating: "e", count: 1024)
        data.attachedInfo = data.ex
        #expect(data.wire.canonicalBytes.count < ChatLimits.frame)
    }

    @Test(
        "B15: the word that a photo was viewed has no push, no preview, no count; the others have the documented words"
    )
    func pushes() {
        let words: [(MessagePayload, String)] = [
            (.text("hello"), "hello"), (.image(ImagePayload(objectKey: "a")), "[图片]"),
            (.flashImage(FlashImagePayload(objectKey: "a")), "[闪照]"),
            (.multiImage(MultiImagePayload(objectKeys: ["a"])), "[多图]"),
            (.voice(VoicePayload(objectKey: "a", durationSeconds: 1)), "[语音]"),
            (.signalQuote(SignalQuotePayload(signalID: "1", reply: "r", signalContent: "")), "[信号回复]"),
        ]
        for (payload, word) in words {
            #expect(payload.pushDescription == word)
            #expect(payload.preview == word)
            #expect(MessageOptions.Switch.allCases.allSatisfy(payload.options.isOn))
        }
        let viewed = MessagePayload.flashViewed(FlashViewedPayload(messageID: "m"))
        #expect(viewed.pushDescription.isEmpty)
        #expect(viewed.preview == nil)
        #expect(!MessageOptions.Switch.allCases.contains(where: viewed.options.isOn))
    }

    @Test("B16: a picture that is sent names its object alone, and 0 or nothing as the end of an address is no end")
    func addresses() throws {
        #expect(
            MessagePayload.image(ImagePayload(objectKey: "a", width: 2, height: 3)).sentContent
                == #"{"h":3,"objectKey":"a","type":"image","w":2}"#
        )
        let payload = MessagePayload(.custom, sent: #"{"type":"image","objectKey":"a","url":"","expireAt":0}"#)
        guard case .image(let image) = payload else { return #expect(Bool(false), "no image") }
        #expect(image.url == nil)
        #expect(image.expireAt == nil)
    }

    @Test("B13: the address in a photo that burns is not read, and one that is gone has no key")
    func flash() {
        let text = #"{"type":"flash_image","objectKey":"k","url":"https://h/x","expireAt":5}"#
        #expect(MessagePayload(.custom, sent: .string(text)).sentContent == #"{"objectKey":"k","type":"flash_image"}"#)
        #expect(MessagePayload.flashImage(.gone).sentContent == #"{"destroyed":true,"type":"flash_image"}"#)
    }

    @Test("a sealed message passes untouched, and is larger than any other may be")
    func sealed() throws {
        let body = String(repeating: "A", count: 90_000)
        let text =
            #"{"body":""# + body + #"","from":"did:key:z6Mk","list":[1,2],"sig":"x","to":[],"type":"sealed","v":1}"#
        let payload = MessagePayload(.custom, sent: .string(text))
        #expect(payload.sentContent == text)
        #expect(payload.preview == "[加密消息]")
        try payload.check()
        #expect(MessagePayload(.custom, element: payload.element) == payload)
    }
}
