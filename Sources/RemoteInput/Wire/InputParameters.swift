public import Commands
public import Kernel

/// The parameters of taking control.
public struct OpenInput: MethodParameters, Hashable {
    /// Whether another phone's control ends for this one.
    public var takesOver: Bool

    public init(takesOver: Bool = false) { self.takesOver = takesOver }

    public init(wire: RemoteParameters) throws { takesOver = try wire.flag("takeOver") }

    public var wire: JSONValue { ["takeOver": .bool(takesOver)] }
}

/// A control that was opened.
public struct InputSessionChoice: MethodParameters, Hashable {
    /// Bytes of a session's id.
    static let idLimit = 64

    public var sessionID: String

    public init(_ sessionID: String) { self.sessionID = sessionID }

    public init(wire: RemoteParameters) throws { sessionID = try wire.text("sessionId", limit: Self.idLimit) }

    public var wire: JSONValue { ["sessionId": .string(sessionID)] }
}

/// Numbered events of one control. One without events says only that the phone is still there.
public struct InputBatch: MethodParameters, Hashable {
    /// Events in one batch.
    public static let countLimit = 256
    /// Bytes of all texts in one batch.
    static let textLimit = 16_384

    public var sessionID: String
    /// The number of the first event; the first of a session is 1. Events that were taken already are passed over.
    public var first: Int64
    /// Nil for an event of a kind that this version does not know.
    public var events: [InputEvent?]

    public init(sessionID: String, first: Int64, events: [InputEvent]) {
        self.sessionID = sessionID
        self.first = first
        self.events = events
    }

    /// - Throws: ``RemoteFailure`` with -32602 where any event does not fit: nothing of such a batch is done, since what follows a key that
    ///   was not pressed means something else.
    public init(wire: RemoteParameters) throws {
        sessionID = try wire.text("sessionId", limit: InputSessionChoice.idLimit)
        first = try wire.integer("first", in: 1...(1 << 53))
        guard let list = wire.value["events"]?.arrayValue, list.count <= Self.countLimit else {
            throw RemoteFailure.badParameter("events", "a list of at most \(Self.countLimit) events")
        }
        events = try list.map { try InputEvent(wire: $0) }
        let bytes = events.reduce(0) { if case .text(let text)? = $1 { $0 + text.utf8.count } else { $0 } }
        guard bytes <= Self.textLimit else {
            throw RemoteFailure.badParameter("events", "a list with at most \(Self.textLimit) bytes of text")
        }
    }

    public var wire: JSONValue {
        [
            "sessionId": .string(sessionID), "first": .integer(first),
            "events": .array(events.compactMap { $0?.wire }),
        ]
    }
}
