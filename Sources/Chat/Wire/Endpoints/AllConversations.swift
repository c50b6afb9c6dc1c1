public import Accounts
public import Kernel

/// Every conversation of a person with its settings.
public struct AllConversations: ChatWire {
    public var conversations: [ConversationID: ConversationSettings]
    /// Whose list it is.
    public var owner: UserID

    public init(of owner: UserID, _ conversations: [ConversationID: ConversationSettings]) {
        self.owner = owner
        self.conversations = conversations
    }

    public init(wire: JSONValue) throws(ChatError) {
        let list = try WireMembers(wire, of: "answer").list("conversations", atMost: ChatLimits.conversations)
        conversations = [:]
        var owner: UserID?
        for value in list {
            let members = try WireMembers(value, of: "conversations")
            guard let id = members.text("conversationID").flatMap(ConversationID.init) else { continue }
            let person = try members.person("ownerUserID")
            guard id.peer(of: person) != nil, owner == nil || owner == person else { throw .malformed("ownerUserID") }
            owner = person
            conversations[id] = try ConversationSettings(members)
        }
        guard let owner = owner ?? (list.isEmpty ? (try? WireMembers(wire, of: "answer").person("userID")) : nil) else {
            throw .malformed("ownerUserID")
        }
        self.owner = owner
    }

    public var wire: JSONValue {
        let rows = conversations.sorted { $0.key.text < $1.key.text }.map { id, settings in
            settings.members.adding("conversationID", .string(id.text)).adding("ownerUserID", .string(owner.imUserID))
                .adding("conversationType", .whole(MessageData.singleSession))
                .adding("userID", .string(id.peer(of: owner)?.imUserID ?? ""))
        }
        return ["userID": .string(owner.imUserID), "conversations": .array(rows)]
    }
}
