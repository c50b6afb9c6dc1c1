public import Foundation
public import Kernel
public import Rights

/// The message in which a computer says which rights this phone has. It is sent inside the sealed session only; for a phone that is
/// away, only the newest is kept. It is for showing: the computer decides about each command, and its record may be newer.
/// Source: `docs/protocol.md` 2.6.
public struct AllowedRights: Hashable, Sendable {
    /// The value of `type`.
    public static let type = "tandem:rights"
    /// The largest number of names that are read, in each list; more are left out.
    public static let limit = 256

    /// The phone's rights, including those that only the computer's version knows.
    public let rights: Set<Right>
    /// When those end that are not given for good, by the computer's clock.
    public let ends: [Right: Date]
    /// The rights that the phone asked for, and how that stands.
    public let asks: [Right: RightAskState]
    /// When the computer said it, by its clock.
    public let saidAt: Date

    public init(_ rights: Set<Right>, ends: [Right: Date] = [:], asks: [Right: RightAskState] = [:], saidAt: Date) {
        self.rights = rights
        self.ends = ends
        self.asks = asks
        self.saidAt = saidAt
    }

    /// Nil for another message, and for one without a list. Texts that cannot be the name of a right are left out.
    public init?(message: JSONValue) {
        guard message["type"]?.stringValue == Self.type, let payload = message["payload"] else { return nil }
        self.init(payload: payload)
    }

    /// The message that carries the rights.
    public var message: JSONValue { ["type": .string(Self.type), "payload": payload] }

    init?(payload: JSONValue) {
        guard let names = payload["rights"]?.arrayValue else { return nil }
        rights = Right.stored(names.prefix(Self.limit).compactMap(\.stringValue))
        saidAt = Date(millisecondsSince1970: payload["at"]?.integerValue ?? 0)
        ends = Self.read(payload["ends"]) { $0.integerValue.map { Date(millisecondsSince1970: $0) } }
        asks = Self.read(payload["asks"]) { RightAskState($0) }
    }

    private static func read<Value>(_ json: JSONValue?, _ value: (JSONValue) -> Value?) -> [Right: Value] {
        let members = (json?.objectValue ?? [:]).sorted { $0.key < $1.key }.prefix(limit)
        return members.reduce(into: [:]) { values, member in
            guard let right = Right.stored([member.key]).first else { return }
            values[right] = value(member.value)
        }
    }

    var payload: JSONValue {
        var members: [String: JSONValue] = [
            "rights": .array(rights.map(\.rawValue).sorted().map { .string($0) }),
            "at": .integer(saidAt.millisecondsSince1970),
        ]
        if !ends.isEmpty { members["ends"] = .object(ends.mapNames { .integer($0.millisecondsSince1970) }) }
        if !asks.isEmpty { members["asks"] = .object(asks.mapNames(\.json)) }
        return .object(members)
    }

    /// What is said beside the rights, as a text to compare with what was said before; nil for nothing.
    package var more: String? {
        ends.isEmpty && asks.isEmpty
            ? nil
            : JSONValue.object([
                "ends": .object(ends.mapNames { .integer($0.millisecondsSince1970) }),
                "asks": .object(asks.mapNames(\.json)),
            ]).canonicalText
    }
}

/// How a phone's request for a right stands.
public struct RightAskState: Hashable, Sendable {
    /// How it stands. Texts that only the computer's version knows are kept.
    public enum Stage: Hashable, Sendable, RawRepresentable {
        /// Nobody has answered yet.
        case waiting
        /// The owner said no.
        case refused
        /// It ended without an answer.
        case unanswered
        case other(String)

        public init(rawValue: String) {
            self =
                switch rawValue {
                case "waiting": .waiting
                case "refused": .refused
                case "unanswered": .unanswered
                default: .other(rawValue)
                }
        }

        public var rawValue: String {
            switch self {
            case .waiting: "waiting"
            case .refused: "refused"
            case .unanswered: "unanswered"
            case .other(let text): text
            }
        }
    }

    public let stage: Stage
    /// By the computer's clock: the end of the request while it waits, else when the right can be asked for again.
    public let until: Date

    public init(_ stage: Stage, until: Date) {
        self.stage = stage
        self.until = until
    }

    init?(_ json: JSONValue) {
        guard let stage = json["state"]?.stringValue, stage.utf8.count <= Right.nameLimit,
            let until = json["until"]?.integerValue
        else { return nil }
        self.init(Stage(rawValue: stage), until: Date(millisecondsSince1970: until))
    }

    var json: JSONValue {
        ["state": .string(stage.rawValue), "until": .integer(until.millisecondsSince1970)]
    }
}

extension [Right: RightTerm] {
    /// The ends alone.
    package var ends: [Right: Date] { mapValues(\.endsAt) }
}

extension Dictionary where Key == Right {
    /// The values under the rights' names.
    package func mapNames<Other>(_ value: (Value) -> Other) -> [String: Other] {
        reduce(into: [:]) { $0[$1.key.rawValue] = value($1.value) }
    }
}
