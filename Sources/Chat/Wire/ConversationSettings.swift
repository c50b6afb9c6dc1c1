import Kernel

/// A conversation as its owner set it: the elements of `get_all_conversations`, and what `set_conversations` changes. Nil leaves as it is.
public struct ConversationSettings: Hashable, Sendable {
    public var receiveOption: ReceiveOption?
    public var isPinned: Bool?
    public var ex: String?
    /// Ours: what is written and not sent, for the person's other devices. Empty for none.
    public var draft: String?
    /// The lowest number that the owner sees; it only moves forward.
    public var minimumSequence: Int64?
    public var maximumSequence: Int64?

    public init(
        receiveOption: ReceiveOption? = nil,
        isPinned: Bool? = nil,
        ex: String? = nil,
        draft: String? = nil,
        minimumSequence: Int64? = nil,
        maximumSequence: Int64? = nil
    ) {
        self.receiveOption = receiveOption
        self.isPinned = isPinned
        self.ex = ex
        self.draft = draft
        self.minimumSequence = minimumSequence
        self.maximumSequence = maximumSequence
    }

    /// - Parameter members: Each value bare, or wrapped as `{"value":…}`, as existing servers want it.
    init(_ members: WireMembers) throws(ChatError) {
        let values = WireMembers(members.values.mapValues { $0["value"] ?? $0 })
        receiveOption = values.integer("recvMsgOpt").map { ReceiveOption(wire: $0) }
        isPinned = values.flag("isPinned", "IsPinned")
        ex = values.text("ex")
        draft = values.text("draftText")
        minimumSequence = values.integer("minSeq").map { max(0, $0) }
        maximumSequence = values.integer("maxSeq").map { max(0, $0) }
        guard (ex?.utf8.count ?? 0) <= ChatLimits.appData else { throw .tooLong("ex", limit: ChatLimits.appData) }
        guard (draft?.utf8.count ?? 0) <= ChatLimits.text else { throw .tooLong("draftText", limit: ChatLimits.text) }
    }

    /// The values that are set, bare.
    var members: JSONValue {
        .members([
            "recvMsgOpt": receiveOption.map { .whole($0.rawValue) }, "isPinned": isPinned.map(JSONValue.bool),
            "ex": ex.map(JSONValue.string), "draftText": draft.map(JSONValue.string),
            "minSeq": minimumSequence.map(JSONValue.integer), "maxSeq": maximumSequence.map(JSONValue.integer),
        ])
    }
}
