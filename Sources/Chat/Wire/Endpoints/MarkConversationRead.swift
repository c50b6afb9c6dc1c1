public import Accounts
public import Kernel

/// Says how far the asker has read. The number only moves forward, so a late request changes nothing.
public struct MarkConversationRead: ChatWire {
    public var user: UserID
    public var conversation: ConversationID
    /// Everything up to this place was read.
    public var readSequence: Int64
    /// Single messages; empty where ``readSequence`` says it all.
    public var sequences: [Int64]

    public init(_ user: UserID, _ conversation: ConversationID, readSequence: Int64, sequences: [Int64] = []) {
        self.user = user
        self.conversation = conversation
        self.readSequence = readSequence
        self.sequences = sequences
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        conversation = try members.conversation("conversationID")
        readSequence = members.place("hasReadSeq") ?? 0
        sequences = try members.sequences("seqs")
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID), "conversationID": .string(conversation.text),
            "hasReadSeq": .integer(readSequence), "seqs": .sequences(sequences),
        ]
    }
}
