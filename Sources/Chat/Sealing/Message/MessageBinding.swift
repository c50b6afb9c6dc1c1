public import Chat
public import Sealing

/// What a sealed message belongs to. Everything in it is bound to these: it opens nowhere else, under no other id, and for no other lists of devices.
public struct MessageBinding: Hashable, Sendable {
    private static let label = "tandem-chat-1"

    public let conversation: ConversationID
    public let clientMessageID: String
    /// The list of the sender's devices.
    public let senders: ChainEntry
    /// The list of the other person's devices.
    public let receivers: ChainEntry

    /// - Throws: ``ChatSealingError/malformed(_:)`` unless the lists are those of the conversation's two people.
    public init(
        _ conversation: ConversationID,
        clientMessageID: String,
        senders: ChainEntry,
        receivers: ChainEntry
    ) throws(ChatSealingError) {
        guard ConversationID(senders.user, receivers.user) == conversation else { throw .malformed("list") }
        guard (1...ChatLimits.messageID).contains(clientMessageID.utf8.count) else { throw .malformed("clientMsgID") }
        self.conversation = conversation
        self.clientMessageID = clientMessageID
        self.senders = senders
        self.receivers = receivers
    }

    /// The additional data of everything that is sealed in the message.
    func data(from sender: DID) -> [UInt8] {
        Array(Self.label.utf8) + [0]
            + LengthValue.encode(conversation.text) + LengthValue.encode(clientMessageID)
            + LengthValue.encode(sender.text) + LengthValue.encode(senders.hash) + LengthValue.encode(receivers.hash)
    }

    /// The devices of both that a message from `sender` is sealed for, in the order of the lists.
    public func devices(besides sender: DID) -> [DID] {
        (senders.devices + receivers.devices).map(\.did).filter { $0 != sender }
    }
}
