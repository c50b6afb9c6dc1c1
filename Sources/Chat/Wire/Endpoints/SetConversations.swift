public import Accounts
public import Kernel

/// Changes settings of one conversation of the asker.
public struct SetConversations: ChatWire {
    public var user: UserID
    public var conversation: ConversationID
    public var settings: ConversationSettings

    public init(_ user: UserID, _ conversation: ConversationID, _ settings: ConversationSettings) {
        self.user = user
        self.conversation = conversation
        self.settings = settings
    }

    /// Reads `userIDs` with exactly one person, as existing programs send it, and `userID`.
    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        let people = try members.people("userIDs")
        guard people.count <= 1 else { throw .tooMany("userIDs", limit: 1) }
        if let person = people.first { user = person } else { user = try members.person("userID") }
        let inner = try WireMembers(members.value("conversation") ?? wire, of: "conversation")
        conversation = try inner.conversation("conversationID")
        settings = try ConversationSettings(inner)
    }

    /// Each value is wrapped: existing servers tell "false" from "not set" by it.
    public var wire: JSONValue {
        let wrapped = (settings.members.objectValue ?? [:]).mapValues { ["value": $0] as JSONValue }
        let inner = JSONValue.object(wrapped).adding("conversationID", .string(conversation.text))
            .adding("conversationType", .whole(MessageData.singleSession))
            .adding("userID", .string(conversation.peer(of: user)?.imUserID ?? ""))
        return ["userIDs": .people([user]), "conversation": inner]
    }
}
