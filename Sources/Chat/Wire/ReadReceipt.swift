public import Accounts
public import Kernel

/// How far somebody has read: content type 2200.
public struct ReadReceipt: Hashable, Sendable {
    public var reader: UserID
    public var conversation: ConversationID
    /// Single messages; empty where ``readSequence`` says it all.
    public var sequences: [Int64]
    /// Everything up to this number was read; it only moves forward.
    public var readSequence: Int64

    public init(reader: UserID, conversation: ConversationID, sequences: [Int64] = [], readSequence: Int64) {
        self.reader = reader
        self.conversation = conversation
        self.sequences = sequences
        self.readSequence = readSequence
    }

    /// Nil where reader or conversation are missing, and for a reader who has no part in it.
    public init?(element: JSONValue) {
        let inner = element["detail"]?.parsedIfText(limit: ChatLimits.content) ?? element
        guard let members = try? WireMembers(inner, of: "detail"),
            let reader = try? members.person("markAsReadUserID"),
            let conversation = try? members.conversation("conversationID"), conversation.peer(of: reader) != nil,
            let sequences = try? members.sequences("seqs")
        else { return nil }
        self.init(
            reader: reader,
            conversation: conversation,
            sequences: sequences,
            readSequence: members.place("hasReadSeq") ?? 0
        )
    }

    public var element: JSONValue {
        let detail: JSONValue = [
            "markAsReadUserID": .string(reader.imUserID), "conversationID": .string(conversation.text),
            "seqs": .sequences(sequences), "hasReadSeq": .integer(readSequence),
        ]
        return ["detail": .string(detail.canonicalText)]
    }
}
