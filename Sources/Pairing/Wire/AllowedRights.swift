public import Foundation
public import Kernel
public import Rights

/// The message in which a computer says which rights this phone has. It is sent inside the sealed session only; for a phone that is
/// away, only the newest is kept. It is for showing: the computer decides about each command, and its record may be newer.
/// Source: `docs/protocol.md` 2.6.
public struct AllowedRights: Hashable, Sendable {
    /// The value of `type`.
    public static let type = "tandem:rights"
    /// The largest number of names that are read; more are left out.
    public static let limit = 256

    /// The phone's rights, including those that only the computer's version knows.
    public let rights: Set<Right>
    /// When the computer said it, by its clock.
    public let saidAt: Date

    public init(_ rights: Set<Right>, saidAt: Date) {
        self.rights = rights
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
    }

    var payload: JSONValue {
        [
            "rights": .array(rights.map(\.rawValue).sorted().map { .string($0) }),
            "at": .integer(saidAt.millisecondsSince1970),
        ]
    }
}
