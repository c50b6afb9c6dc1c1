public import Kernel

/// What a server answers once a message is kept.
public struct SendMessageAnswer: ChatWire {
    public var serverMessageID: String
    /// The id that was sent, exactly.
    public var clientMessageID: String
    /// Milliseconds since 1970 by the server's clock.
    public var sendTime: Int64
    /// The message's place in its conversation, from 1. Ours; nil from servers that do not say.
    public var sequence: Int64?

    public init(serverMessageID: String, clientMessageID: String, sendTime: Int64, sequence: Int64?) {
        self.serverMessageID = serverMessageID
        self.clientMessageID = clientMessageID
        self.sendTime = sendTime
        self.sequence = sequence
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        serverMessageID = members.text("serverMsgID", "serverMsgId") ?? ""
        clientMessageID = try members.required(
            "clientMsgID",
            "clientMsgId",
            "client_msg_id",
            atMost: ChatLimits.messageID
        )
        sendTime = members.integer("sendTime") ?? 0
        sequence = members.place("seq")
    }

    public var wire: JSONValue {
        .members([
            "serverMsgID": .string(serverMessageID), "clientMsgID": .string(clientMessageID),
            "sendTime": .integer(sendTime), "seq": sequence.map(JSONValue.integer),
        ])
    }
}
