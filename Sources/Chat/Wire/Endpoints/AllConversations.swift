public import Accounts
public import Kernel

/// Every conversation of a person with its settings.
public struct AllConversations: ChatWire {
    public var conversations: [ConversationID: ConversationSettings]
    /// Whose list it is; nil where the answer has no row to say it.
    public var owner: UserID?

    public init(of owner: UserID, _ conversations: [ConversationID: ConversationSettings]) {
        self.owner = owner
        self.conversations = conversations
    }

    /// Rows of other kinds of conversations are left out. Source: rule F3.
    public init(wire: JSONValue) throws(ChatError) {
        conversations = [:]
        for value in try WireMembers(wire, of: "answer").list("conversations", atMost: ChatLimits.conversations) {
            let members = try WireMembers(value, of: "conversations")
            guard let id = members.text("conversationID").flatMap(ConversationID.init) else { continue }
            let person = try members.person("ownerUserID")
            guard id.peer(of: person) != nil, owner == nil || owner == person else { throw .malformed("ownerUserID") }
            owner = person
            conversations[id] = try ConversationSettings(members)
        }
    }

    public var wire: JSONValue {
        let rows = conversations.sorted { $0.key.text < $1.key.text }.map { id, settings in
            settings.members.adding("conversationID", .string(id.text)).adding(
                "ownerUserID",
                .string(owner?.imUserID ?? "")
            )
            .adding("conversationType", .whole(MessageData.singleSession))
            .adding("userID", .string(owner.flatMap(id.peer)?.imUserID ?? ""))
        }
        return ["conversations": .array(rows)]
    }
}
