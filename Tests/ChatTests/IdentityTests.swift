import Accounts
import Kernel
import Testing

@testable import Chat

@Suite("Ids of people and conversations", .timeLimit(.minutes(4)))
struct IdentityTests {
    let scene: ChatScene

    init() throws { scene = try ChatScene() }

    @Test("F1: an id is tb_ and the shortest decimal number, nothing else")
    func people() {
        #expect(ConversationIDHelper.imUID(7) == "tb_7")
        #expect(ConversationIDHelper.imUID(0) == nil)
        #expect(ConversationIDHelper.uid(fromIMUID: "tb_42") == 42)
        for text in [
            "42", "tb_", "tb_0", "tb_-1", "tb_07", "tb_tb_7", "TB_7", "tb_7 ", "tb_9007199254740992", "openIMAdmin",
        ] {
            #expect(ConversationIDHelper.uid(fromIMUID: text) == nil, "\(text)")
        }
    }

    @Test("F2: the two ids stand in the order of their texts, whoever asks, and nobody talks to themselves")
    func conversations() {
        #expect(ConversationIDHelper.conversationID(9, 10) == "si_tb_10_tb_9")
        #expect(ConversationIDHelper.conversationID(10, 9) == "si_tb_10_tb_9")
        #expect(ConversationIDHelper.conversationID(9, 9) == nil)
        #expect(ConversationID("si_tb_9_tb_10") == nil)
        #expect(ConversationIDHelper.targetUID(of: "si_tb_10_tb_9", me: 9) == 10)
        #expect(ConversationIDHelper.targetUID(of: "si_tb_10_tb_9", me: 8) == nil)
    }

    @Test(
        "F3: groups and notifications are no conversations of two people, and are left out of lists",
        arguments: [
            "sg_123", "n_tb_10_tb_9", "si_tb_9", "si_tb_9_tb_9", "",
        ]
    )
    func otherKinds(text: String) throws {
        #expect(ConversationID(text) == nil)
        let request = try ConversationsRequest(
            wire: ["userID": "tb_7", "conversationIDs": [.string(text), .string(scene.conversation.text)]]
        )
        #expect(request.conversations == [scene.conversation])
    }

    @Test("a recipient is read in three forms, and names one conversation")
    func recipients() throws {
        for text in ["si_tb_7_tb_9", "tb_9", "9"] {
            #expect(try Recipient(text).conversation(from: scene.ada) == scene.conversation, "\(text)")
        }
        #expect(throws: ChatError.notYours) { try Recipient("si_tb_7_tb_9").conversation(from: scene.cy) }
        #expect(throws: ChatError.notYours) { try Recipient("tb_7").conversation(from: scene.ada) }
        for text in ["", "sg_1", "bob", "-9"] {
            #expect(throws: ChatError.malformed("recvID")) { try Recipient(text) }
        }
    }
}
