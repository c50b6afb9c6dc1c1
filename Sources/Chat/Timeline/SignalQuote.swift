import Accounts
import Crypto
import Foundation

/// The first message of a conversation that began with a signal: once, however often the conversation is opened. Source: rules C7, B20.
public struct SignalQuote: Hashable, Sendable {
    /// The same on every device and at every try, so that the server keeps one.
    public let messageID: String
    public let payload: MessagePayload
    /// Nil without the number of the received signal: open-im is not asked then.
    public let openIM: OpenIMReceive?

    /// Nil where nothing is to be quoted: no signal, no reply, or quoted before.
    public init?(_ conversation: Conversation) {
        guard conversation.fromSignal, !conversation.isIMOpened, let signalID = conversation.signalID,
            !signalID.isEmpty, let reply = Draft.kept(conversation.signalReply)
        else { return nil }
        messageID = Self.messageID(conversation.id, signalID: signalID)
        payload = .signalQuote(
            SignalQuotePayload(signalID: signalID, reply: reply, signalContent: conversation.signalContent ?? "")
        )
        openIM = OpenIMReceive(receiveID: conversation.receiveID)
    }

    /// "sq-" and a UUID of version 5: its name is the signal's id, its namespace the UUID of version 5 whose name is the conversation's id in the
    /// namespace of URLs. Source: RFC 9562, section 5.5.
    static func messageID(_ conversation: ConversationID, signalID: String) -> String {
        // 6ba7b811-9dad-11d1-80b4-00c04fd430c8
        let urls: [UInt8] = [
            0x6B, 0xA7, 0xB8, 0x11, 0x9D, 0xAD, 0x11, 0xD1, 0x80, 0xB4, 0x00, 0xC0, 0x4F, 0xD4, 0x30, 0xC8,
        ]
        let namespace = uuid5(conversation.text, in: urls)
        let bytes = uuid5(signalID, in: namespace)
        let uuid = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        return "sq-" + uuid.uuidString.lowercased()
    }

    private static func uuid5(_ name: String, in namespace: [UInt8]) -> [UInt8] {
        // Not for secrecy: the version prescribes SHA-1.
        var bytes = Array(Insecure.SHA1.hash(data: namespace + Array(name.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes
    }

    /// Whether the conversation counts as opened after an attempt: it was sent now, or the server has one under this id. Any other failure leaves
    /// it to the next time.
    public static func isOpened(after error: (any Error)?) -> Bool {
        guard let error else { return true }
        return (error as? ChatError)?.refusal == .duplicateKey
    }
}
