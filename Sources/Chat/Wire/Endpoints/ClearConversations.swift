public import Accounts
public import Kernel

/// Hides everything up to now in some conversations, for the asker.
public struct ClearConversations: ChatWire {
    public var user: UserID
    public var conversations: [ConversationID]
    /// The asker's other devices, too.
    public var isForOwnDevices: Bool
    /// The other person, too. Our server refuses it: nobody clears what another person has. Source: rule C9.
    public var isForPeer: Bool

    public init(_ user: UserID, _ conversations: [ConversationID]) {
        self.user = user
        self.conversations = conversations
        isForOwnDevices = true
        isForPeer = false
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        conversations = try members.conversations("conversationIDs")
        let sync = WireMembers(members.value("deleteSyncOpt")?.objectValue ?? [:])
        isForOwnDevices = sync.flag("IsSyncSelf", "isSyncSelf") ?? true
        isForPeer = sync.flag("IsSyncOther", "isSyncOther") ?? false
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID), "conversationIDs": .conversations(conversations),
            "deleteSyncOpt": ["IsSyncSelf": .bool(isForOwnDevices), "IsSyncOther": .bool(isForPeer)],
        ]
    }
}
