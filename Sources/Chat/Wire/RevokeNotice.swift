public import Accounts
public import Kernel

/// A recall, in both of its shapes: the content of the recalled row in history, and the notification that is pushed.
public struct RevokeNotice: Hashable, Sendable {
    /// The id of the recalled message, as its sender chose it.
    public var clientMessageID: String
    /// Who recalled; nil for a server's own account.
    public var revoker: UserID?
    public var isByAdministrator: Bool
    /// Milliseconds since 1970.
    public var time: Int64
    /// The recalled message's number; nil where the notice has none.
    public var sequence: Int64?
    /// Nil in history, where the row's own place says it.
    public var conversation: ConversationID?
    public var revokerNickname: String
    /// Milliseconds since 1970, when the recalled message was sent; nil in the pushed shape.
    public var sourceTime: Int64?
    /// Who sent the recalled message; nil in the pushed shape.
    public var sourceSender: UserID?

    public init(
        clientMessageID: String,
        revoker: UserID?,
        isByAdministrator: Bool = false,
        time: Int64,
        sequence: Int64?,
        conversation: ConversationID? = nil,
        revokerNickname: String = "",
        sourceTime: Int64? = nil,
        sourceSender: UserID? = nil
    ) {
        self.clientMessageID = clientMessageID
        self.revoker = revoker
        self.isByAdministrator = isByAdministrator
        self.time = time
        self.sequence = sequence
        self.conversation = conversation
        self.revokerNickname = revokerNickname
        self.sourceTime = sourceTime
        self.sourceSender = sourceSender
    }

    /// Reads an element of content type 2101. Nil where the recalled message is not named.
    public init?(element: JSONValue) {
        let inner = element["detail"]?.parsedIfText(limit: ChatLimits.content) ?? element
        guard let members = try? WireMembers(inner, of: "detail"), let id = members.nonEmpty("clientMsgID"),
            id.utf8.count <= ChatLimits.messageID
        else { return nil }
        self.init(
            clientMessageID: id,
            revoker: members.text("revokerUserID", "revokerID").flatMap(UserID.init(anyForm:)),
            isByAdministrator: members.flag("isAdminRevoke") ?? false,
            time: members.integer("revokeTime") ?? 0,
            sequence: members.place("seq"),
            conversation: members.text("conversationID").flatMap(ConversationID.init),
            revokerNickname: members.text("revokerNickname") ?? "",
            sourceTime: members.integer("sourceMessageSendTime"),
            sourceSender: members.text("sourceMessageSendID").flatMap(UserID.init(anyForm:))
        )
    }

    /// The element of the recalled row in history.
    public var historyElement: JSONValue {
        let detail = JSONValue.members([
            "revokerID": .string(revoker?.imUserID ?? ""), "revokerRole": 0, "clientMsgID": .string(clientMessageID),
            "revokerNickname": .string(revokerNickname), "revokeTime": .integer(time),
            "sourceMessageSendTime": .integer(sourceTime ?? 0),
            "sourceMessageSendID": .string(sourceSender?.imUserID ?? ""), "sourceMessageSenderNickname": "",
            "sessionType": 1, "seq": .integer(sequence ?? 0), "ex": "",
        ])
        return ["detail": .string(detail.canonicalText)]
    }

    /// The element of the notification. `sesstionType` is misspelt in existing programs, and so it stays.
    public var pushElement: JSONValue {
        let detail = JSONValue.members([
            "revokerUserID": .string(revoker?.imUserID ?? ""), "clientMsgID": .string(clientMessageID),
            "revokeTime": .integer(time), "sesstionType": 1, "seq": .integer(sequence ?? 0),
            "conversationID": .string(conversation?.text ?? ""), "isAdminRevoke": .bool(isByAdministrator),
        ])
        return ["detail": .string(detail.canonicalText)]
    }
}
