public import Accounts
public import Kernel

/// The one question of a device that was away: how far it is, answered with what it lacks. Ours. Source: invariant I4.
public struct SyncRequest: ChatWire {
    public var user: UserID
    /// The last event that the device has; 0 for none.
    public var event: Int64
    /// The last message that the device has of each conversation. Others are answered with their places alone.
    public var sequences: [ConversationID: Int64]

    public init(_ user: UserID, event: Int64, sequences: [ConversationID: Int64]) {
        self.user = user
        self.event = event
        self.sequences = sequences
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "request")
        user = try members.person("userID")
        event = max(0, members.integer("useq") ?? 0)
        sequences = try members.byConversation("seqs").compactMapValues { WireMembers.integer($0).map { max(0, $0) } }
    }

    public var wire: JSONValue {
        [
            "userID": .string(user.imUserID), "useq": .integer(event),
            "seqs": .byConversation(sequences) { .integer($0) },
        ]
    }
}

/// What a device lacks.
public struct SyncAnswer: ChatWire {
    /// Where the person stands in one conversation.
    public struct Place: Hashable, Sendable {
        public var newest: Int64
        /// The lowest number that the person sees.
        public var lowest: Int64
        public var read: Int64
        /// Milliseconds since 1970, of the newest message.
        public var newestTime: Int64

        public init(newest: Int64, lowest: Int64, read: Int64, newestTime: Int64) {
            self.newest = newest
            self.lowest = lowest
            self.read = read
            self.newestTime = newestTime
        }

        init(_ value: JSONValue) throws(ChatError) {
            let members = try WireMembers(value, of: "seqs")
            newest = max(0, members.integer("maxSeq") ?? 0)
            lowest = max(0, members.integer("minSeq") ?? 0)
            read = min(max(0, members.integer("hasReadSeq") ?? 0), newest)
            newestTime = members.integer("maxSeqTime") ?? 0
        }

        var wire: JSONValue {
            [
                "maxSeq": .integer(newest), "minSeq": .integer(lowest), "hasReadSeq": .integer(read),
                "maxSeqTime": .integer(newestTime),
            ]
        }
    }

    /// The newest event of the person's log. Beyond the last of ``events`` where more are to be asked for.
    public var event: Int64
    /// Events that the device lacks are not kept any more: it loads everything anew.
    public var needsReload: Bool
    /// The oldest first. One that cannot be read is ``ChatEvent/Change/unknown(_:)``, and may lack its number: ``events(after:)``.
    public var events: [ChatEvent]
    public var places: [ConversationID: Place]
    public var parts: [ConversationID: PulledMessages.Part]

    public init(
        event: Int64,
        needsReload: Bool,
        events: [ChatEvent],
        places: [ConversationID: Place],
        parts: [ConversationID: PulledMessages.Part]
    ) {
        self.event = event
        self.needsReload = needsReload
        self.events = events
        self.places = places
        self.parts = parts
    }

    public init(wire: JSONValue) throws(ChatError) {
        let members = try WireMembers(wire, of: "answer")
        event = max(0, members.integer("useq") ?? 0)
        needsReload = members.flag("reload") ?? false
        events = try members.list("events", atMost: ChatLimits.events).map { value in
            (try? ChatEvent(wire: value)) ?? ChatEvent(nil, .unknown(value))
        }
        places = [:]
        for (id, value) in try members.byConversation("seqs") { places[id] = try Place(value) }
        parts = try PulledMessages(wire: wire).parts
    }

    /// The events with the numbers that they have in the log. It has no gaps and the answer is in its order, so that one whose number cannot be
    /// read, or is behind the newest, has the number behind the one before it. Source: invariant I4.
    ///
    /// - Parameter event: The last event that the device had when it asked.
    public func events(after event: Int64) -> [ChatEvent] {
        var last = event
        return events.map { one in
            let number = one.number.flatMap { $0 <= self.event ? $0 : nil } ?? last + 1
            last = max(last, number)
            return ChatEvent(number, one.change)
        }
    }

    public var wire: JSONValue {
        PulledMessages(parts).wire.adding("useq", .integer(event)).adding("reload", .bool(needsReload))
            .adding("events", .array(events.map(\.wire))).adding("seqs", .byConversation(places, \.wire))
    }
}
