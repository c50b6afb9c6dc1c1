public import Foundation
public import Kernel
public import Rights

/// What a computer allows this phone, as the computer says. Travels inside the sealed session only; kept for a phone that is away, and
/// only the newest. For showing: the computer decides about each command, and what it said last may be older than its record.
/// Source: `docs/protocol.md` 2.6.
public struct AllowedRights: Hashable, Sendable {
    /// The value of `type`.
    public static let type = "tandem:rights"
    /// Names that are read; more are left out.
    public static let limit = 256

    /// Also those that only the computer's version knows.
    public let rights: Set<Right>
    /// When the computer said it, by its clock.
    public let saidAt: Date

    public init(_ rights: Set<Right>, saidAt: Date) {
        self.rights = rights
        self.saidAt = saidAt
    }

    /// Nil for another message, and for one without a list. What cannot be the name of a right is left out.
    public init?(message: JSONValue) {
        guard message["type"]?.stringValue == Self.type, let payload = message["payload"] else { return nil }
        self.init(payload: payload)
    }

    /// The message that carries them.
    public var message: JSONValue { ["type": .string(Self.type), "payload": payload] }

    init?(payload: JSONValue) {
        guard let names = payload["rights"]?.arrayValue else { return nil }
        rights = Right.stored(names.prefix(Self.limit).compactMap(\.stringValue))
        saidAt = Date(millisecondsSince1970: payload["at"]?.integerValue ?? 0)
    }

    var payload: JSONValue {
        [
            "rights": .array(rights.map(\.rawValue).sorted().map { .string($0) }),
            "at": .integer(saidAt.millisecondsSince1970),
        ]
    }
}
