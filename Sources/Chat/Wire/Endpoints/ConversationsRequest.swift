public import Accounts
public import Kernel

/// A request about some conversations of the asker.
public struct ConversationsRequest: ChatWire {
    public var user: UserID
    /// At most ``ChatLimits/conversations``; empty for all of them.
    public var conversations: [ConversationID]

    public init(_ user: UserID, _ conversations: [ConversationID]) {
        self.user = user
        self.conversations = conversations
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID", "ownerUserID")
        conversations = try members.conversations("conversationIDs")
    }

    public var wire: JSONValue {
        ["userID": .string(user.imUserID), "conversationIDs": .conversations(conversations)]
    }
}
