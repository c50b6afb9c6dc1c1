public import Kernel

/// Opens a photo that burns: the receiver alone, once.
public struct OpenFlash: ChatWire {
    public var conversation: ConversationID
    public var clientMessageID: String

    public init(_ conversation: ConversationID, clientMessageID: String) {
        self.conversation = conversation
        self.clientMessageID = clientMessageID
    }

    public init(wire: JSONValue) throws(ChatError) {
        let request = try RevokeMessage(wire: wire)
        conversation = request.conversation
        clientMessageID = request.clientMessageID
    }

    public var wire: JSONValue {
        ["conversation_id": .string(conversation.text), "client_msg_id": .string(clientMessageID)]
    }
}

/// Where the opened photo is fetched, once.
public struct OpenedFlash: ChatWire {
    public var url: String
    /// Seconds since 1970, after which the photo is gone.
    public var leaseEnd: Int64

    public init(url: String, leaseEnd: Int64) {
        self.url = url
        self.leaseEnd = leaseEnd
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        url = try members.required("url", atMost: ChatLimits.url)
        guard let end = members.integer("expireAt"), end > 0 else { throw .malformed("expireAt") }
        leaseEnd = end
    }

    public var wire: JSONValue { ["url": .string(url), "expireAt": .integer(leaseEnd)] }
}
