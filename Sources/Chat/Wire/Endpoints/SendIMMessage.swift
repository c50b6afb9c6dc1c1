public import Accounts
public import Kernel

/// A request to send as existing servers know it: the content is an object. They know no id of the sender's; ours takes one.
public struct SendIMMessage: ChatWire {
    public var sender: UserID
    public var recipient: Recipient
    public var payload: MessagePayload
    /// Nil from programs that send none: the server makes one.
    public var clientMessageID: String?
    public var senderNickname: String
    public var senderFaceURL: String
    public var senderPlatform: Int
    /// Only devices that are connected get it.
    public var isOnlineOnly: Bool
    public var isWithoutPush: Bool
    public var push: OfflinePush?
    public var ex: String

    public init(from sender: UserID, to recipient: Recipient, _ payload: MessagePayload, clientMessageID: String) {
        self.sender = sender
        self.recipient = recipient
        self.payload = payload
        self.clientMessageID = clientMessageID
        senderNickname = ""
        senderFaceURL = ""
        senderPlatform = 0
        isOnlineOnly = payload.isControl
        isWithoutPush = payload.isControl
        push = OfflinePush(of: payload)
        ex = ""
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        guard members.integer("sessionType") ?? Int64(MessageData.singleSession) == Int64(MessageData.singleSession)
        else { throw .malformed("sessionType") }
        sender = try members.person("sendID")
        recipient = try Recipient(members.required("recvID", atMost: ChatLimits.name))
        guard let type = members.integer("contentType").flatMap({ Int(exactly: $0) }) else {
            throw .malformed("contentType")
        }
        guard let content = members.value("content") else { throw .malformed("content") }
        payload = MessagePayload(ContentType(rawValue: type), sent: content)
        // Written again it would be another text.
        if case .unknown(.text, _) = payload { throw .malformed("content") }
        clientMessageID =
            members.value("clientMsgID", "clientMsgId", "client_msg_id") == nil ? nil : try members.messageID()
        senderNickname = members.text("senderNickname") ?? ""
        senderFaceURL = members.text("senderFaceURL", "senderFaceUrl") ?? ""
        senderPlatform = members.integer("senderPlatformID").flatMap { Int(exactly: $0) } ?? 0
        isOnlineOnly = members.flag("isOnlineOnly") ?? false
        isWithoutPush = members.flag("notOfflinePush") ?? false
        push = try members.value("offlinePushInfo").map { value throws(ChatError) in try OfflinePush(wire: value) }
        ex = members.text("ex") ?? ""
        guard senderNickname.utf8.count <= ChatLimits.name else {
            throw .tooLong("senderNickname", limit: ChatLimits.name)
        }
        guard senderFaceURL.utf8.count <= ChatLimits.url else { throw .tooLong("senderFaceURL", limit: ChatLimits.url) }
        guard ex.utf8.count <= ChatLimits.appData else { throw .tooLong("ex", limit: ChatLimits.appData) }
    }

    public var wire: JSONValue {
        .members([
            "sendID": .string(sender.imUserID), "recvID": .string(recipient.text), "groupID": "",
            "senderNickname": .string(senderNickname), "senderFaceURL": .string(senderFaceURL),
            "senderPlatformID": .whole(senderPlatform), "content": payload.element,
            "contentType": .whole(payload.contentType.rawValue), "sessionType": .whole(MessageData.singleSession),
            "isOnlineOnly": .bool(isOnlineOnly), "notOfflinePush": .bool(isWithoutPush),
            "offlinePushInfo": push?.wire, "ex": .string(ex), "clientMsgID": clientMessageID.map(JSONValue.string),
        ])
    }
}
