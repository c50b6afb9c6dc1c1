public import Commands
public import Kernel

/// The answer to a phone that wants to control a computer.
public enum InputOpened: MethodAnswer, Hashable {
    case open(InputSessionFacts)
    /// Another phone controls it. The name is that of its record at the computer.
    case held(by: String)

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        if let session = members.text("sessionId") {
            self = .open(
                InputSessionFacts(
                    sessionID: session,
                    way: members.text("way") ?? "",
                    typesText: members.flag("text") ?? true,
                    stopKey: members.text("stopKey"),
                    silence: members.integer("silence") ?? 15,
                    places: members.flag("places") ?? true
                )
            )
        } else if members.text("state") == "held" {
            self = .held(by: members.text("by") ?? "")
        } else {
            throw .malformedResult
        }
    }

    public var wire: JSONValue {
        switch self {
        case .open(let facts):
            .known([
                "state": "open", "sessionId": .string(facts.sessionID), "way": .string(facts.way),
                "text": .bool(facts.typesText), "stopKey": facts.stopKey.map { .string($0) },
                "silence": .integer(facts.silence), "places": facts.places ? nil : false,
            ])
        case .held(let name): ["state": "held", "by": .string(name)]
        }
    }
}

/// A control that was opened.
public struct InputSessionFacts: Hashable, Sendable {
    public var sessionID: String
    /// The computer's way to its pointer and keyboard: `x11`, `wlroots`, `uinput` or `portal`. An open set.
    public var way: String
    /// Whether texts of any letters arrive. Where not, only what the computer's own layout of keys has.
    public var typesText: Bool
    /// The keys that end it at the computer, for example `Ctrl+Alt+Escape`; nil where none does.
    public var stopKey: String?
    /// Seconds without a batch after which the computer ends it.
    public var silence: Int64
    /// Whether the pointer can be put at a place of a display. Where not, it moves from where it is only.
    public var places: Bool

    public init(
        sessionID: String,
        way: String,
        typesText: Bool,
        stopKey: String?,
        silence: Int64,
        places: Bool = true
    ) {
        self.sessionID = sessionID
        self.way = way
        self.typesText = typesText
        self.stopKey = stopKey
        self.silence = silence
        self.places = places
    }
}

/// The answer to a batch.
public struct InputTaken: MethodAnswer, Hashable {
    /// The number of the last event that was done or passed over.
    public var last: Int64
    /// Events of kinds that the computer does not know, which were passed over.
    public var unknown: Int

    public init(last: Int64, unknown: Int = 0) {
        self.last = last
        self.unknown = unknown
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let last = members.integer("last") else { throw .malformedResult }
        self.init(last: last, unknown: members.count("unknown") ?? 0)
    }

    public var wire: JSONValue { ["last": .integer(last), "unknown": .integer(Int64(unknown))] }
}

/// How a control ended, as its phone is told.
public struct InputEnd: Hashable, Sendable {
    /// Who or what ended it. An open set: a cause that this version does not know survives.
    public enum Cause: RawRepresentable, Hashable, Sendable {
        /// The person at the computer, by the keys that end it.
        case key
        /// The person at the computer, in the window there or by a command.
        case owner
        /// Another phone took over, or this one opened a second control.
        case taken
        /// The right was taken back.
        case right
        /// Nothing was heard of the phone.
        case silence
        /// The computer's program stopped.
        case stopped
        /// The computer's way to its pointer and keyboard failed.
        case failed
        /// The phone itself.
        case phone
        case unknown(String)

        private static let known: [String: Cause] = [
            "key": .key, "owner": .owner, "taken": .taken, "right": .right, "silence": .silence, "stopped": .stopped,
            "failed": .failed, "phone": .phone,
        ]

        public init(rawValue: String) { self = Self.known[rawValue] ?? .unknown(rawValue) }

        public var rawValue: String {
            switch self {
            case .key: "key"
            case .owner: "owner"
            case .taken: "taken"
            case .right: "right"
            case .silence: "silence"
            case .stopped: "stopped"
            case .failed: "failed"
            case .phone: "phone"
            case .unknown(let name): name
            }
        }
    }

    public var sessionID: String
    public var cause: Cause
    /// The phone that took over; nil for other causes.
    public var by: String?

    public init(sessionID: String, cause: Cause, by: String? = nil) {
        self.sessionID = sessionID
        self.cause = cause
        self.by = by
    }

    /// Nil for an event of another kind, and for one without a session.
    public init?(_ event: RemoteEvent) {
        guard event.isOf(.inputEnded), let session = event.members["sessionId"]?.stringValue else { return nil }
        self.init(
            sessionID: session,
            cause: Cause(rawValue: event.members["cause"]?.stringValue ?? ""),
            by: event.members["by"]?.stringValue
        )
    }

    package var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["sessionId": .string(sessionID), "cause": .string(cause.rawValue)]
        if let by { members["by"] = .string(by) }
        return members
    }

    /// The sentence for the person with the phone.
    public var sentence: String {
        switch cause {
        case .key: "The person at the computer ended the control with its keys."
        case .owner: "The person at the computer ended the control."
        case .taken: "Another device controls the computer now\(by.map { ": \($0)" } ?? "")."
        case .right: "This phone may not control the computer any more."
        case .silence: "The computer heard nothing from this phone, so it ended the control."
        case .stopped: "Tandem stopped at the computer."
        case .failed: "The computer's pointer and keyboard could not be reached any more."
        case .phone: "The control was ended here."
        case .unknown: "The control has ended."
        }
    }
}
