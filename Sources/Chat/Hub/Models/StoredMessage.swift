package import Accounts
package import Chat

/// A message as it is read: with its state folded in (B14).
package struct StoredMessage: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case kept
        /// Taken back by its sender. The content is gone.
        case recalled(at: Int64)
        /// A view-once picture that was opened and is not destroyed yet.
        case opened
        /// A view-once picture that was seen, or that was not opened in time. The content is gone.
        case destroyed
        /// Deleted by the reader for themselves. It keeps its place, so that pages have no gaps.
        case deleted
    }

    package let conversation: ConversationID
    package let seq: Int64
    package let sender: UserID
    package let clientMessageID: String
    package let serverMessageID: String
    package let contentType: Int32
    /// Empty where the state says that it is gone.
    package let content: [UInt8]
    package let kind: MessageKind
    package let sendTime: Int64
    package let state: State

    package init(
        conversation: ConversationID,
        seq: Int64,
        sender: UserID,
        clientMessageID: String,
        serverMessageID: String,
        contentType: Int32,
        content: [UInt8],
        kind: MessageKind,
        sendTime: Int64,
        state: State
    ) {
        self.conversation = conversation
        self.seq = seq
        self.sender = sender
        self.clientMessageID = clientMessageID
        self.serverMessageID = serverMessageID
        self.contentType = contentType
        self.content = content
        self.kind = kind
        self.sendTime = sendTime
        self.state = state
    }

    package var isRecalled: Bool { if case .recalled = state { true } else { false } }
}

/// A message by one of its names within a conversation.
package enum MessageTarget: Hashable, Sendable {
    case seq(Int64)
    /// The client id of a message of this sender.
    case client(id: String, sender: UserID)
}
