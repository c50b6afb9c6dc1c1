import Accounts
public import Kernel

/// Looks for words in the asker's own history. Ours. Sealed messages are never found: the server has no words of them.
public struct SearchMessages: ChatWire {
    /// The place at which a search goes on.
    public struct Place: Hashable, Sendable {
        public var conversation: ConversationID
        /// Below this message.
        public var before: Int64

        public init(_ conversation: ConversationID, before: Int64) {
            self.conversation = conversation
            self.before = before
        }

        init?(_ value: JSONValue?) {
            guard let members = value?.objectValue.map({ WireMembers($0) }),
                let conversation = members.text("conversationID").flatMap(ConversationID.init),
                let before = members.integer("seq"), before > 0
            else { return nil }
            self.init(conversation, before: before)
        }

        var wire: JSONValue { ["conversationID": .string(conversation.text), "seq": .integer(before)] }
    }

    public var text: String
    /// Nil for all of the asker's conversations.
    public var conversation: ConversationID?
    /// Nil for the beginning.
    public var place: Place?

    public init(_ text: String, in conversation: ConversationID? = nil, from place: Place? = nil) {
        self.text = text
        self.conversation = conversation
        self.place = place
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        text = try members.required("query", atMost: ChatLimits.query)
        conversation =
            members.value("conversation_id", "conversationID") == nil
            ? nil : try members.conversation("conversation_id", "conversationID")
        place = Place(members.value("next"))
    }

    public var wire: JSONValue {
        .members([
            "query": .string(text), "conversation_id": conversation.map { .string($0.text) }, "next": place?.wire,
        ])
    }
}

/// The messages that were found, and where to go on.
public struct FoundMessages: ChatWire {
    public var messages: [MessageData]
    /// Nil at the end.
    public var next: SearchMessages.Place?

    public init(_ messages: [MessageData], next: SearchMessages.Place?) {
        self.messages = messages
        self.next = next
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        messages = try members.list("msgs", atMost: ChatLimits.pull).compactMap { try? MessageData(wire: $0) }
        next = SearchMessages.Place(members.value("next"))
    }

    public var wire: JSONValue { .members(["msgs": .array(messages.map(\.wire)), "next": next?.wire]) }
}
