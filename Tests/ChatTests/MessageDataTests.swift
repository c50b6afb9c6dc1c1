import Foundation
import Kernel
import Testing

@testable import Chat

@Suite("Messages as existing programs hand them over", .timeLimit(.minutes(4)))
struct MessageDataTests {
    let scene: ChatScene

    init() throws { scene = try ChatScene() }

    @Test("every form of the content is read as the same message", arguments: MessageData.ContentForm.allCases)
    func forms(form: MessageData.ContentForm) throws {
        for payload in [
            MessagePayload.text("héllo {\"a\":1}"), .image(ImagePayload(objectKey: "a.jpg", width: 3, height: 4)),
        ] {
            let data = scene.data("m-1", from: scene.bob, at: 4, payload)
            let read = try MessageData(wire: data.wire(content: form))
            #expect(read == data)
            #expect(read.payload == payload)
            #expect(read.conversation == scene.conversation)
        }
    }

    @Test("pulled content is base64 of JSON, and both spellings of the sender's face are read")
    func pulled() throws {
        let content = Data(#"{"content":"hi"}"#.utf8).base64EncodedString()
        for face in ["senderFaceURL", "senderFaceUrl"] {
            var wire: JSONValue = [
                "clientMsgID": "m", "sendID": "tb_9", "recvID": "tb_7", "contentType": "101", "sessionType": 1,
                "content": .string(content), "seq": "12", "sendTime": "1719817052346",
            ]
            wire = wire.adding(face, "https://h/f.jpg")
            let data = try MessageData(wire: wire)
            #expect(data.payload == .text("hi"))
            #expect(data.sequence == 12)
            #expect(data.sendTime == 1_719_817_052_346)
            #expect(data.senderFaceURL == "https://h/f.jpg")
        }
    }

    @Test("a message that is not between two people belongs to no conversation")
    func groups() throws {
        var data = scene.data("m", from: scene.bob, at: 1, .text("x"))
        data.sessionType = 3
        #expect(data.conversation == nil)
        data.sessionType = 1
        data.senderID = "openIMAdmin"
        #expect(data.conversation == nil)
    }

    @Test("both shapes of a recall are read, and written as they are documented")
    func recalls() throws {
        let notice = RevokeNotice(
            clientMessageID: "m-1",
            revoker: scene.bob,
            time: 5,
            sequence: 12,
            conversation: scene.conversation
        )
        let pushed = try #require(RevokeNotice(element: notice.pushElement))
        #expect(pushed == notice)
        let detail = try #require(notice.pushElement["detail"]?.parsedIfText())
        #expect(detail["sesstionType"] == 1)
        var history = notice
        history.conversation = nil
        history.revokerNickname = "Bob"
        history.sourceTime = 4
        history.sourceSender = scene.bob
        #expect(try #require(RevokeNotice(element: history.historyElement)) == history)
        #expect(RevokeNotice(element: ["detail": "{}"]) == nil)
    }

    @Test("receipts and typing come back; a receipt of a stranger is none")
    func receipts() throws {
        let receipt = ReadReceipt(
            reader: scene.bob,
            conversation: scene.conversation,
            sequences: [3, 4],
            readSequence: 4
        )
        #expect(ReadReceipt(element: receipt.element) == receipt)
        let foreign = ReadReceipt(reader: scene.cy, conversation: scene.conversation, readSequence: 4)
        #expect(ReadReceipt(element: foreign.element) == nil)
        #expect(TypingNotice(element: TypingNotice(isTyping: true).element).isTyping)
        #expect(!TypingNotice(element: ["msgTips": "no"]).isTyping)
    }

    @Test("the sorted list has capitals where existing servers have them, and a row without messages is a row")
    func elements() throws {
        let latest = scene.data("m", from: scene.bob, at: 2, .text("hello!!"))
        let element = ConversationElement(
            conversation: scene.conversation,
            unreadCount: 3,
            isPinned: true,
            senderName: "Bob",
            latestTime: 99,
            latest: latest
        )
        #expect(element.wire["IsPinned"] == true)
        #expect(element.wire["msgInfo"]?["LatestMsgRecvTime"] == 99)
        #expect(element.wire["msgInfo"]?["content"] == #"{"content":"hello!!"}"#)
        #expect(try ConversationElement(wire: element.wire) == element)
        let empty = ConversationElement(conversation: scene.conversation)
        #expect(try ConversationElement(wire: empty.wire) == empty)
        #expect(ConversationUpdate(element).lastMessagePreview == "hello!!")
    }

    @Test("a content that is kept as its text makes the same message as one that was read, in every form")
    func kept() {
        for element: JSONValue in [
            ["content": "words \"quoted\" 字"], ["data": "{\"type\":\"x\",\"n\":1}", "extension": ""], [:],
        ] {
            let read = MessageData(
                clientMessageID: "m-1",
                from: scene.ada,
                to: scene.bob,
                contentType: .custom,
                element: element
            )
            var kept = read
            kept.element = [:]
            kept.keep(canonical: element.canonicalBytes)
            #expect(kept == read)
            #expect(kept.hashValue == read.hashValue)
            #expect(kept.element == element)
            for form in MessageData.ContentForm.allCases {
                #expect(kept.wire(content: form) == read.wire(content: form))
            }
        }
    }
}
