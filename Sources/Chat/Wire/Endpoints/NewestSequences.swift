public import Accounts
public import Kernel

/// Asks how far each conversation goes.
public struct NewestSequencesRequest: ChatWire {
    public var user: UserID

    public init(_ user: UserID) { self.user = user }

    public init(wire: JSONValue) throws(ChatError) {
        user = try WireMembers(wire, of: "request").person("userID")
    }

    public var wire: JSONValue { ["userID": .string(user.imUserID)] }
}

/// How far each conversation of a person goes, and where it begins for that person.
public struct NewestSequences: ChatWire {
    public var newest: [ConversationID: Int64]
    /// The lowest numbers that the person sees.
    public var lowest: [ConversationID: Int64]

    public init(newest: [ConversationID: Int64], lowest: [ConversationID: Int64] = [:]) {
        self.newest = newest
        self.lowest = lowest
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        newest = try members.byConversation("maxSeqs").compactMapValues {
            WireMembers.integer($0).flatMap(WireMembers.place)
        }
        lowest = try members.byConversation("minSeqs").compactMapValues {
            WireMembers.integer($0).flatMap(WireMembers.place)
        }
    }

    public var wire: JSONValue {
        [
            "maxSeqs": .byConversation(newest) { .integer($0) },
            "minSeqs": .byConversation(lowest) { .integer($0) },
        ]
    }
}
