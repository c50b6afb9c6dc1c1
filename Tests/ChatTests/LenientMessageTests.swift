import Accounts
import Kernel
import Testing

@testable import Chat

@Suite("Messages that cannot be read whole")
struct LenientMessageTests {
    let scene: ChatScene

    init() throws { scene = try ChatScene() }

    private func wire(_ id: String, at seq: Int64, _ changes: [String: JSONValue] = [:]) throws -> JSONValue {
        let message = scene.data(id, from: scene.ada, at: seq, .text("hi"))
        let members = try #require(message.wire.objectValue)
        return .object(members.merging(changes) { $1 })
    }

    private func read(_ list: [JSONValue]) throws -> [MessageData] {
        let part: JSONValue = ["Msgs": .array(list), "isEnd": true, "endSeq": 3]
        let pulled = try PulledMessages(wire: ["msgs": .object([scene.conversation.text: part])])
        return try #require(pulled.parts[scene.conversation]).messages
    }

    @Test(
        "one whose content, id, kind or sender is unreadable stands in its place as unknown, between its neighbours",
        arguments: [
            ["contentType": "x"], ["clientMsgID": []], ["sendID": ["a": 1]],
            ["clientMsgID": .string(String(repeating: "x", count: 10_000))],
            ["content": .string(String(repeating: "x", count: ChatLimits.sealedContent + 1))],
        ] as [[String: JSONValue]]
    )
    func inPlace(changes: [String: JSONValue]) throws {
        let messages = try read([wire("a", at: 1), wire("b", at: 2, changes), wire("c", at: 3)])
        #expect(messages.map(\.sequence) == [1, 2, 3])
        #expect(messages.map(\.conversation) == Array(repeating: scene.conversation, count: 3))
        #expect(messages.map(\.isUnreadable) == [false, true, false])
        guard case .unknown = try #require(messages.dropFirst().first).payload else {
            Issue.record("the row shows something that was not there")
            return
        }
        #expect(messages.filter { $0.payload == .text("hi") }.map(\.clientMessageID) == ["a", "c"])
    }

    @Test("an ornament that is too long costs the ornament alone", arguments: ["senderNickname", "ex", "attachedInfo"])
    func ornament(member: String) throws {
        let long = JSONValue.string(String(repeating: "x", count: 1 << 20))
        let message = try #require(try read([wire("a", at: 1, [member: long])]).first)
        #expect(message.payload == .text("hi"))
        #expect(message.senderNickname.isEmpty && message.ex.isEmpty && message.attachedInfo.isEmpty)
    }

    @Test("a row of the list whose newest message cannot be read is a row all the same")
    func element() throws {
        let info = try wire("a", at: 4, ["contentType": "x"])
        let element = try ConversationElement(
            wire: ["conversationID": .string(scene.conversation.text), "unreadCount": 2, "msgInfo": info]
        )
        #expect(element.unreadCount == 2)
        #expect(element.latest?.sequence == 4)
        #expect(element.latest?.isUnreadable == true)
    }

    @Test("nobody outside the conversation is shown as the sender of an unreadable message")
    func stranger() throws {
        let message = try #require(
            try read([
                wire("a", at: 1, ["sendID": "tb_999999", "contentType": "x", "recvID": .string(scene.ada.imUserID)])
            ]).first
        )
        #expect(message.sender == scene.bob)
    }

    @Test("what has no place and cannot be read is left out, and spoils no other")
    func placeless() throws {
        #expect(
            try read([7, "x", [], wire("a", at: 0, ["contentType": "x"]), wire("b", at: 2)]).map(\.sequence) == [2]
        )
    }
}
