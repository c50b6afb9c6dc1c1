public import Kernel

/// The documented request to send. The three spellings of the message's id are read; the documented one is written.
public struct SendMessage: ChatWire {
    public var recipient: Recipient
    public var payload: MessagePayload
    /// The sender's id of the message: the same on every attempt. Source: rules B1, R4.
    public var clientMessageID: String
    /// Nil where the sender gave none: the server takes the payload's.
    public var push: OfflinePush?
    /// The record of the received signal, not a person; nil without one.
    public var receiveID: String?

    public init(to recipient: Recipient, _ payload: MessagePayload, clientMessageID: String, receiveID: String? = nil) {
        self.recipient = recipient
        self.payload = payload
        self.clientMessageID = clientMessageID
        push = OfflinePush(of: payload)
        self.receiveID = receiveID
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        recipient = try Recipient(members.required("recvID", "recvId", "recv_id", atMost: ChatLimits.name))
        guard let type = members.integer("contentType", "content_type").flatMap({ Int(exactly: $0) }) else {
            throw .malformed("contentType")
        }
        guard let content = members.value("content") else { throw .malformed("content") }
        payload = MessagePayload(ContentType(rawValue: type), sent: content)
        // Written again it would be another text.
        if case .unknown(.text, _) = payload { throw .malformed("content") }
        clientMessageID = try members.messageID()
        push = try members.value("offlinePushInfo").map { value throws(ChatError) in try OfflinePush(wire: value) }
        receiveID = members.nonEmpty("receive_id", "receiveId")
        guard (receiveID?.utf8.count ?? 0) <= ChatLimits.messageID else {
            throw .tooLong("receive_id", limit: ChatLimits.messageID)
        }
    }

    public var wire: JSONValue {
        .members([
            "recvID": .string(recipient.text), "content": .string(payload.sentContent),
            "contentType": .whole(payload.contentType.rawValue), "clientMsgId": .string(clientMessageID),
            "offlinePushInfo": push?.wire, "receive_id": receiveID.map(JSONValue.string),
        ])
    }
}

extension WireMembers {
    /// The id of a message in its three spellings.
    ///
    /// - Throws: ``ChatError/malformed(_:)`` where it is missing or holds control characters; ``ChatError/tooLong(_:limit:)``.
    func messageID() throws(ChatError) -> String {
        let id = try required("clientMsgId", "clientMsgID", "client_msg_id", atMost: ChatLimits.messageID)
        guard id.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .malformed("clientMsgId") }
        return id
    }
}
