public import Accounts

/// To whom a message goes, in the three forms of documented clients: `si_tb_7_tb_9`, `tb_9` and `9`.
public enum Recipient: Hashable, Sendable {
    case conversation(ConversationID)
    case person(UserID)

    /// - Throws: ``ChatError/malformed(_:)`` for any other text.
    public init(_ text: String) throws(ChatError) {
        if let id = ConversationID(text) {
            self = .conversation(id)
        } else if let person = UserID(anyForm: text) {
            self = .person(person)
        } else {
            throw .malformed("recvID")
        }
    }

    public var text: String {
        switch self {
        case .conversation(let id): id.text
        case .person(let person): person.imUserID
        }
    }

    /// The conversation that `sender` means.
    ///
    /// - Throws: ``ChatError/notYours`` where the sender is no member, and for a message to oneself.
    public func conversation(from sender: UserID) throws(ChatError) -> ConversationID {
        switch self {
        case .conversation(let id):
            guard id.peer(of: sender) != nil else { throw .notYours }
            return id
        case .person(let person):
            guard let id = ConversationID(sender, person) else { throw .notYours }
            return id
        }
    }
}
