public import Chat

/// Seals what is sent and opens what comes, for one account on one device: a seam between the repository and the keys.
public protocol MessageSealing: Sendable {
    /// The form that goes to the server: sealed where both people have keys, else as it is. The same message gives the same form at every attempt.
    ///
    /// - Throws: ``ChatError``, where the person has to agree to something first.
    func outgoing(_ request: SendMessage) async throws -> SendMessage
    /// The content of a message that came: of a clear one as it is. Never throws: what cannot be opened is told with its reason.
    func opened(_ data: MessageData, in conversation: ConversationID) async -> OpenedMessage
    /// How a conversation stands.
    func standing(of conversation: ConversationID) async -> SealStanding
    /// What came to the other person's lists of devices; nil where they have none.
    ///
    /// - Parameter place: Up to here it is known; nil for nothing, and then nothing counts as a change.
    func deviceChanges(of conversation: ConversationID, since place: DeviceListPlace?) async -> DeviceChanges?
    /// The hub refused a message because of old lists, and stored nothing of it: the next ``outgoing(_:)`` seals it anew.
    func outdated(_ request: SendMessage) async
    /// The hub has a message.
    func acknowledged(_ request: SendMessage) async
    /// Everything that was sent until `time`, in milliseconds since 1970, is on this device: old keys are deleted by it.
    func fetchedEverything(upTo time: Int64) async
    /// The conversations whose standing changed.
    func changes() -> AsyncStream<ConversationID>
}

/// A message as this device reads it.
public struct OpenedMessage: Sendable {
    /// With the inner content where it was sealed and could be opened.
    public var data: MessageData
    public var isSealed: Bool
    /// Why it could not be opened; nil where it was, and for a clear one.
    public var trouble: ChatControl.SealTrouble?
    /// It came in the clear in a conversation that was sealed before.
    public var isUnexpectedlyClear: Bool

    public init(
        _ data: MessageData,
        isSealed: Bool,
        trouble: ChatControl.SealTrouble? = nil,
        isUnexpectedlyClear: Bool = false
    ) {
        self.data = data
        self.isSealed = isSealed
        self.trouble = trouble
        self.isUnexpectedlyClear = isUnexpectedlyClear
    }
}

/// How sealing stands in a conversation.
public struct SealStanding: Hashable, Sendable {
    public var isSealed: Bool
    public var isVerified: Bool
    /// Why nothing is sent until the person agrees.
    public var trouble: ChatControl.SealTrouble?
    /// Twelve groups of five digits; empty without keys of both.
    public var number: [String]
    /// For a QR code; empty as ``number``.
    public var code: String

    public init(
        isSealed: Bool = false,
        isVerified: Bool = false,
        trouble: ChatControl.SealTrouble? = nil,
        number: [String] = [],
        code: String = ""
    ) {
        self.isSealed = isSealed
        self.isVerified = isVerified
        self.trouble = trouble
        self.number = number
        self.code = code
    }
}

/// Conversations with programs that know no sealing, and accounts without keys: everything goes as it is.
public struct ClearMessages: MessageSealing {
    public init() {}

    public func outgoing(_ request: SendMessage) -> SendMessage { request }

    public func opened(_ data: MessageData, in conversation: ConversationID) -> OpenedMessage {
        var isSealed = false
        if case .sealed = data.payload { isSealed = true }
        return OpenedMessage(data, isSealed: isSealed, trouble: isSealed ? .otherDevice : nil)
    }

    public func standing(of conversation: ConversationID) -> SealStanding { SealStanding() }

    public func changes() -> AsyncStream<ConversationID> { AsyncStream { $0.finish() } }
}
