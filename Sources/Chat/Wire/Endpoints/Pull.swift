public import Accounts
public import Kernel

/// Asks for messages by their places.
public struct PullRequest: ChatWire {
    /// A part of a conversation.
    public struct Part: Hashable, Sendable {
        public var conversation: ConversationID
        /// Both ends belong to it.
        public var range: ClosedRange<Int64>
        /// The most messages to answer with, 1 to ``ChatLimits/pull``.
        public var count: Int

        public init(_ conversation: ConversationID, _ range: ClosedRange<Int64>, count: Int = ChatLimits.pull) {
            self.conversation = conversation
            self.range = range
            self.count = count
        }
    }

    /// From which end of a part the messages are taken where it holds more than were asked for.
    public enum Order: Int, Hashable, Sendable {
        case ascending = 0
        case descending = 1
    }

    public var user: UserID
    public var parts: [Part]
    public var order: Order

    public init(_ user: UserID, _ parts: [Part], order: Order = .ascending) {
        self.user = user
        self.parts = parts
        self.order = order
    }

    /// Parts of other kinds of conversations are left out; so are empty ones.
    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        order = members.integer("order").flatMap { Int(exactly: $0) }.flatMap(Order.init) ?? .ascending
        parts = []
        for value in try members.list("seqRanges", atMost: ChatLimits.conversations) {
            let part = try WireMembers(value, of: "seqRanges")
            guard let begin = part.integer("begin"), let end = part.integer("end") else { throw .malformed("begin") }
            guard let id = part.text("conversationID").flatMap(ConversationID.init), end >= 1,
                begin <= min(end, ChatLimits.place)
            else {
                continue
            }
            let count = part.integer("num") ?? Int64(ChatLimits.pull)
            parts.append(
                Part(
                    id,
                    max(1, begin)...min(end, ChatLimits.place),
                    count: Int(min(max(1, count), Int64(ChatLimits.pull)))
                )
            )
        }
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID), "order": .whole(order.rawValue),
            "seqRanges": .array(
                parts.map { part in
                    [
                        "conversationID": .string(part.conversation.text), "begin": .integer(part.range.lowerBound),
                        "end": .integer(part.range.upperBound), "num": .whole(part.count),
                    ]
                }
            ),
        ]
    }
}

/// Messages by conversation.
public struct PulledMessages: ChatWire {
    /// What was found of one part.
    public struct Part: Hashable, Sendable {
        /// In the order of their places.
        public var messages: [MessageData]
        /// Nothing more of the conversation lies beyond the end from which messages were not taken yet.
        public var isEnd: Bool
        /// The last place that the answer says something about.
        public var endSequence: Int64

        public init(messages: [MessageData], isEnd: Bool, endSequence: Int64) {
            self.messages = messages
            self.isEnd = isEnd
            self.endSequence = endSequence
        }

        /// A message that cannot be read keeps its place, without its content; only one without a place is left out.
        init(_ value: JSONValue, of conversation: ConversationID) throws(ChatError) {
            let members = try WireMembers(value, of: "msgs")
            messages = try members.list("Msgs", "msgs", atMost: ChatLimits.pull).compactMap {
                MessageData(lenient: $0, in: conversation)
            }
            isEnd = members.flag("isEnd") ?? false
            endSequence = members.place("endSeq") ?? 0
        }

        var wire: JSONValue {
            [
                "Msgs": .array(messages.map(\.wire)), "isEnd": .bool(isEnd), "endSeq": .integer(endSequence),
            ]
        }
    }

    public var parts: [ConversationID: Part]

    public init(_ parts: [ConversationID: Part]) { self.parts = parts }

    public init(wire: JSONValue) throws(ChatError) {
        parts = [:]
        for (id, value) in try WireMembers(wire, of: "answer").byConversation("msgs") {
            parts[id] = try Part(value, of: id)
        }
    }

    public var wire: JSONValue { ["msgs": .byConversation(parts, \.wire), "notificationMsgs": [:]] }
}
