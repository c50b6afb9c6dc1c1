public import Accounts
public import Kernel

/// The documented request to recall. Source: rule R5.
public struct RevokeMessage: ChatWire {
    public var conversation: ConversationID
    public var clientMessageID: String

    public init(_ conversation: ConversationID, clientMessageID: String) {
        self.conversation = conversation
        self.clientMessageID = clientMessageID
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        conversation = try members.conversation("conversation_id", "conversationID", "conversationId")
        clientMessageID = try members.messageID()
    }

    public var wire: JSONValue {
        ["conversation_id": .string(conversation.text), "client_msg_id": .string(clientMessageID)]
    }
}

/// A request to recall as existing servers know it, and by the sender's id, which they lack.
public struct RevokeIMMessage: ChatWire {
    /// The message: by its place, or by its sender's id.
    public enum Target: Hashable, Sendable {
        case sequence(Int64)
        case clientMessageID(String)
    }

    public var conversation: ConversationID
    public var target: Target
    public var user: UserID

    public init(_ conversation: ConversationID, _ target: Target, by user: UserID) {
        self.conversation = conversation
        self.target = target
        self.user = user
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        conversation = try members.conversation("conversationID")
        user = try members.person("userID")
        if let sequence = members.integer("seq"), sequence > 0 {
            target = .sequence(sequence)
        } else if members.value("clientMsgID", "clientMsgId", "client_msg_id") != nil {
            target = .clientMessageID(try members.messageID())
        } else {
            throw .malformed("seq")
        }
    }

    public var wire: JSONValue {
        let base: JSONValue = ["conversationID": .string(conversation.text), "userID": .string(user.imUserID)]
        return switch target {
        case .sequence(let sequence): base.adding("seq", .integer(sequence))
        case .clientMessageID(let id): base.adding("clientMsgID", .string(id))
        }
    }
}
