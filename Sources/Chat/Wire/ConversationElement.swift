public import Kernel

/// A row of the sorted list of conversations, as existing servers answer it. `IsPinned` and `LatestMsgRecvTime` have capitals there.
public struct ConversationElement: ChatWire {
    public var conversation: ConversationID
    public var receiveOption: ReceiveOption
    public var unreadCount: Int
    public var isPinned: Bool
    /// The peer's name and face as the server knows them.
    public var senderName: String
    public var faceURL: String
    /// Milliseconds since 1970; 0 for a conversation without messages.
    public var latestTime: Int64
    /// Nil for a conversation without messages.
    public var latest: MessageData?
    /// Nil from existing servers, which do not tell it.
    public var standing: ConversationStanding?

    public init(
        conversation: ConversationID,
        receiveOption: ReceiveOption = .receive,
        unreadCount: Int = 0,
        isPinned: Bool = false,
        senderName: String = "",
        faceURL: String = "",
        latestTime: Int64 = 0,
        latest: MessageData? = nil,
        standing: ConversationStanding? = nil
    ) {
        self.conversation = conversation
        self.receiveOption = receiveOption
        self.unreadCount = unreadCount
        self.isPinned = isPinned
        self.senderName = senderName
        self.faceURL = faceURL
        self.latestTime = latestTime
        self.latest = latest
        self.standing = standing
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "conversation")
        conversation = try members.conversation("conversationID")
        receiveOption = ReceiveOption(wire: members.integer("recvMsgOpt"))
        unreadCount = Int(min(max(members.integer("unreadCount") ?? 0, 0), Int64(Int32.max)))
        isPinned = members.flag("IsPinned", "isPinned") ?? false
        let info = WireMembers(members.value("msgInfo")?.objectValue ?? [:])
        senderName = info.text("senderName", "senderNickname") ?? ""
        faceURL = info.text("faceURL", "senderFaceURL", "senderFaceUrl") ?? ""
        latestTime = info.integer("LatestMsgRecvTime", "latestMsgRecvTime", "sendTime") ?? 0
        // A row of the list is worth more than its newest message.
        latest =
            info.nonEmpty("clientMsgID") == nil
            ? nil : MessageData(lenient: .object(info.values), in: conversation)
        standing = members.value("standing")?.objectValue.map { ConversationStanding(WireMembers($0)) }
    }

    public var wire: JSONValue {
        var info = latest?.wire(content: .text) ?? [:]
        info = info.adding("senderName", .string(senderName)).adding("faceURL", .string(faceURL))
            .adding("LatestMsgRecvTime", .integer(latestTime))
        return .members([
            "conversationID": .string(conversation.text), "recvMsgOpt": .whole(receiveOption.rawValue),
            "unreadCount": .whole(unreadCount), "IsPinned": .bool(isPinned), "msgInfo": info,
            "standing": standing?.members,
        ])
    }
}

/// What becomes of messages of a conversation.
public enum ReceiveOption: Int, Hashable, Sendable {
    case receive = 0
    /// Nothing comes.
    case reject = 1
    /// Messages come, and wake no device: muted.
    case silent = 2

    /// A number that is not known is taken for the usual one.
    init(wire number: Int64?) { self = number.flatMap { Int(exactly: $0) }.flatMap(ReceiveOption.init) ?? .receive }
}
