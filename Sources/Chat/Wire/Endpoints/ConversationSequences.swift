public import Accounts
public import Kernel

/// Single messages of one conversation, by their places.
public struct ConversationSequences: ChatWire {
    public var user: UserID
    public var conversation: ConversationID
    /// At most ``ChatLimits/sequences``.
    public var sequences: [Int64]

    public init(_ user: UserID, _ conversation: ConversationID, _ sequences: [Int64]) {
        self.user = user
        self.conversation = conversation
        self.sequences = sequences
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        conversation = try members.conversation("conversationID")
        sequences = try members.sequences("seqs")
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID), "conversationID": .string(conversation.text),
            "seqs": .sequences(sequences),
        ]
    }
}
