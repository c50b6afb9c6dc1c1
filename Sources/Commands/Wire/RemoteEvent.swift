public import Kernel

/// Something that happened at the desktop, told to a phone. Source: `docs/protocol.md`, "Command envelopes".
public struct RemoteEvent: Hashable, Sendable {
    public static let type = "chainlesschain:event"
    public static let notificationType = "chainlesschain:event:notification"

    /// For example `terminal.stdout`.
    public var name: String
    public var members: [String: JSONValue]

    public init(_ name: String, _ members: [String: JSONValue]) {
        self.name = name
        self.members = members
    }

    public var envelope: JSONValue { envelope(form: .object) }

    /// In the form in which the device asks.
    public func envelope(form: CommandRequest.Form) -> JSONValue {
        let payload = JSONValue.object(members.merging(["event": .string(name)]) { $1 })
        return switch form {
        case .object: ["type": .string(Self.type), "payload": payload]
        case .text: ["type": .string(Self.type), "payload": .string(payload.canonicalText)]
        }
    }

    /// Its texts' length and a little, near enough for a rate.
    public var roughByteCount: Int {
        members.values.reduce(256) { $0 + ($1.stringValue?.utf8.count ?? 16) }
    }

    /// Reads both documented dialects, each with its payload as an object or as a JSON text. Nil for anything else.
    public init?(envelope: JSONValue) {
        let type = envelope["type"]?.stringValue
        guard type == Self.type || type == Self.notificationType, let object = envelope.payloadObject else {
            return nil
        }
        if type == Self.notificationType, let method = object["method"]?.stringValue {
            self.init(method, object["params"]?.objectValue ?? [:])
        } else if let event = object["event"]?.stringValue {
            self.init(event, object.filter { $0.key != "event" })
        } else {
            return nil
        }
    }
}
