/// A thing that came from the server about one conversation, by push, pull or history.
public enum IncomingItem: Hashable, Sendable {
    case message(ChatMessage)
    /// A photo was viewed by its receiver. It has a place of its own only at servers that keep control messages.
    case flashViewed(target: MessageKey, sequence: Int64?)
    case recalled(Recall)
    case read(ReadReceipt)
    case typing(isTyping: Bool)
    /// Something with a place in the conversation that shows nothing.
    case nothing(sequence: Int64?)

    /// The recall of a message.
    public struct Recall: Hashable, Sendable {
        /// Nil for an administrator's, which names the place alone.
        public var target: MessageKey?
        /// The recalled message's place.
        public var sequence: Int64?

        public init(target: MessageKey?, sequence: Int64?) {
            self.target = target
            self.sequence = sequence
        }
    }

    /// The place in the conversation that the thing itself takes; nil where it takes none.
    public var sequence: Int64? {
        switch self {
        case .message(let message): message.sequence
        case .flashViewed(_, let sequence), .nothing(let sequence): sequence
        case .recalled, .read, .typing: nil
        }
    }
}
