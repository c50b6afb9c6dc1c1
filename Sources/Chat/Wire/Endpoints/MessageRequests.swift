public import Accounts
public import Kernel

/// Answers the first message of somebody new. Ours.
public struct AnswerRequest: ChatWire {
    public var conversation: ConversationID
    public var accepts: Bool

    public init(_ conversation: ConversationID, accepts: Bool) {
        self.conversation = conversation
        self.accepts = accepts
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        conversation = try members.conversation("conversation_id", "conversationID")
        guard let accepts = members.flag("accept") else { throw .malformed("accept") }
        self.accepts = accepts
    }

    public var wire: JSONValue { ["conversation_id": .string(conversation.text), "accept": .bool(accepts)] }
}

/// Tells who moderates the hub of the other person. Ours.
public struct ReportMessage: ChatWire {
    public var conversation: ConversationID
    /// The message that it is about, by the other person's id of it; nil for the person alone.
    public var clientMessageID: String?
    public var reason: String

    public init(_ conversation: ConversationID, clientMessageID: String?, reason: String) {
        self.conversation = conversation
        self.clientMessageID = clientMessageID
        self.reason = reason
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        conversation = try members.conversation("conversation_id", "conversationID")
        clientMessageID =
            members.value("clientMsgID", "clientMsgId", "client_msg_id") == nil ? nil : try members.messageID()
        reason = members.text("reason") ?? ""
        guard reason.utf8.count <= ChatLimits.reason else { throw .tooLong("reason", limit: ChatLimits.reason) }
    }

    public var wire: JSONValue {
        .members([
            "conversation_id": .string(conversation.text), "client_msg_id": clientMessageID.map(JSONValue.string),
            "reason": .string(reason),
        ])
    }
}

/// A device has everything of a conversation up to a place. Ours: existing servers have no receipt of delivery.
public struct MarkReceived: ChatWire {
    public var user: UserID
    public var conversation: ConversationID
    public var sequence: Int64

    public init(_ user: UserID, _ conversation: ConversationID, sequence: Int64) {
        self.user = user
        self.conversation = conversation
        self.sequence = sequence
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        conversation = try members.conversation("conversationID")
        guard let sequence = members.integer("seq"), sequence > 0 else { throw .malformed("seq") }
        self.sequence = sequence
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID), "conversationID": .string(conversation.text),
            "seq": .integer(sequence),
        ]
    }
}
