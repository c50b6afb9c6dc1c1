import Accounts
import Chat
import Kernel
import Testing

@testable import ChatHub

@Suite("The frame of a pushed message")
struct MessageFrameTests {
    private func message(
        _ payload: MessagePayload,
        _ kind: MessageKind,
        id: String = "m-1",
        state: StoredMessage.State = .kept
    ) throws -> StoredMessage {
        StoredMessage(
            conversation: try chat(9, 10),
            seq: 41,
            sender: try person(10),
            clientMessageID: id,
            serverMessageID: "00112233445566778899aabbccddeeff",
            contentType: Int32(payload.contentType.rawValue),
            content: payload.element.canonicalBytes,
            kind: kind,
            sendTime: start,
            state: state
        )
    }

    /// The long way, without files.
    private func written(_ message: StoredMessage) -> [UInt8] {
        let part = PulledMessages.Part(messages: [MessageData(message)], isEnd: true, endSequence: message.seq)
        let frame = SyncFrame.Response(.push, data: PulledMessages([message.conversation: part]).wire)
        return frame.wire.canonicalBytes
    }

    @Test(
        "it is the very text that the long way makes, with every character that JSON escapes",
        arguments: [
            "hello", "", "\"\\/\u{8}\n\r\t\u{1f} 字 é \u{1F469}\u{200D}\u{1F680}", String(repeating: "x", count: 5000),
        ],
        ["m-1", "\"quoted\\", "8e3f1c52-9d1b-4f0e-8a7c-0d9b6a5e4f33"]
    )
    func same(words: String, id: String) throws {
        let text = try message(.text(words), .text, id: id)
        #expect(MessageFrame.bytes(of: text) == written(text))
        let sealed = try message(.sealed(["v": 1, "body": .string(words), "type": "sealed"]), .sealed, id: id)
        #expect(MessageFrame.bytes(of: sealed) == written(sealed))
    }

    @Test("what the hub adds to, and what is no longer as it was sent, goes the long way")
    func long() throws {
        for kind in [MessageKind.image, .flash, .flashViewed, .control, .other] {
            #expect(MessageFrame.bytes(of: try message(.text("hello"), kind)) == nil)
        }
        for state in [StoredMessage.State.recalled(at: start), .opened, .destroyed, .deleted] {
            #expect(MessageFrame.bytes(of: try message(.text("hello"), .text, state: state)) == nil)
        }
    }
}
