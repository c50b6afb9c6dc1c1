import Kernel

/// How a person stands in a conversation, beside what existing servers tell in a row of the list. Ours.
public struct ConversationStanding: Hashable, Sendable {
    /// A first message that waits for its answer.
    public enum Request: String, Hashable, Sendable {
        /// This person is asked.
        case incoming
        /// This person asked.
        case outgoing
    }

    /// Nil where both people write.
    public var request: Request?
    /// The person blocks the other one.
    public var isBlocked: Bool
    /// The other account is gone.
    public var isPeerDeleted: Bool
    /// The newest place; 0 for none.
    public var newest: Int64
    /// The lowest place that the person sees.
    public var lowest: Int64
    /// The person read up to here.
    public var read: Int64
    /// The other one read, and has, everything up to here, as far as that is told.
    public var peerRead: Int64
    public var peerReceived: Int64
    /// Nil for none.
    public var draft: String?

    public init(
        request: Request? = nil,
        isBlocked: Bool = false,
        isPeerDeleted: Bool = false,
        newest: Int64,
        lowest: Int64,
        read: Int64,
        peerRead: Int64,
        peerReceived: Int64,
        draft: String? = nil
    ) {
        self.request = request
        self.isBlocked = isBlocked
        self.isPeerDeleted = isPeerDeleted
        self.newest = newest
        self.lowest = lowest
        self.read = read
        self.peerRead = peerRead
        self.peerReceived = peerReceived
        self.draft = draft
    }

    /// A value that is missing or makes no sense counts as none. A draft that is too long is cut.
    init(_ members: WireMembers) {
        request = members.text("request").flatMap(Request.init)
        isBlocked = members.flag("isBlocked") ?? false
        isPeerDeleted = members.flag("isPeerDeleted") ?? false
        newest = members.place("maxSeq") ?? 0
        lowest = members.place("minSeq") ?? 1
        read = min(members.place("hasReadSeq") ?? 0, newest)
        peerRead = members.place("peerReadSeq") ?? 0
        peerReceived = members.place("peerReceivedSeq") ?? 0
        draft = Draft.kept(members.text("draftText"))
    }

    var members: JSONValue {
        .members([
            "request": request.map { .string($0.rawValue) }, "isBlocked": .bool(isBlocked),
            "isPeerDeleted": .bool(isPeerDeleted), "maxSeq": .integer(newest), "minSeq": .integer(lowest),
            "hasReadSeq": .integer(read), "peerReadSeq": .integer(peerRead),
            "peerReceivedSeq": .integer(peerReceived), "draftText": draft.map(JSONValue.string),
        ])
    }
}
