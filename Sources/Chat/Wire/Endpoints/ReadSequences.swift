public import Kernel

/// How far conversations go, and how far the asker has read them.
public struct ReadSequences: ChatWire {
    /// One conversation's numbers.
    public struct Place: Hashable, Sendable {
        public var newest: Int64
        public var read: Int64
        /// Milliseconds since 1970, of the newest message.
        public var newestTime: Int64

        public init(newest: Int64, read: Int64, newestTime: Int64) {
            self.newest = newest
            self.read = read
            self.newestTime = newestTime
        }

        init(_ value: JSONValue) throws(ChatError) {
            let members = try WireMembers(value, of: "seqs")
            newest = members.place("maxSeq") ?? 0
            read = min(members.place("hasReadSeq") ?? 0, newest)
            newestTime = members.integer("maxSeqTime") ?? 0
        }

        var wire: JSONValue {
            ["maxSeq": .integer(newest), "hasReadSeq": .integer(read), "maxSeqTime": .integer(newestTime)]
        }

        /// What is unread by the numbers alone; never below 0. Source: invariant I7.
        public var unread: Int64 { max(0, newest - read) }
    }

    public var places: [ConversationID: Place]

    public init(_ places: [ConversationID: Place]) { self.places = places }

    public init(wire: JSONValue) throws(ChatError) {
        places = [:]
        for (id, value) in try WireMembers(wire, of: "answer").byConversation("seqs") { places[id] = try Place(value) }
    }

    public var wire: JSONValue { ["seqs": .byConversation(places, \.wire)] }
}
