public import Kernel

/// Something that happened at the desktop, told to a phone. Source: `docs/protocol.md`, "Command envelopes".
public struct RemoteEvent: Hashable, Sendable {
    /// The `type` of an event's envelope, as we send it.
    package static let type = "chainlesschain:event"
    /// The other `type` that programs send. Only read.
    package static let notificationType = "chainlesschain:event:notification"

    /// A third one, of which the type names the event itself. Only read.
    package static let receivedType = "chainlesschain:notification:received"

    /// For example `terminal.stdout`.
    public var name: String
    /// All but the name, which stands beside them on the wire as `event`.
    public var members: [String: JSONValue]

    public init(_ name: String, _ members: [String: JSONValue]) {
        self.name = name
        self.members = members
    }

    /// The documented form: payload is an object.
    package var envelope: JSONValue { envelope(form: .object) }

    /// The envelope in the form in which the device asks.
    package func envelope(form: CommandRequest.Form) -> JSONValue {
        let payload = JSONValue.object(members.merging(["event": .string(name)]) { $1 })
        return switch form {
        case .object: ["type": .string(Self.type), "payload": payload]
        case .text: ["type": .string(Self.type), "payload": .string(payload.canonicalText)]
        }
    }

    /// Its texts' length and a little, near enough for a rate.
    package var roughByteCount: Int {
        members.values.reduce(256) { $0 + ($1.stringValue?.utf8.count ?? 16) }
    }

    /// Reads the documented dialects, each with its payload as an object or as a JSON text. Nil for anything else.
    package init?(envelope: JSONValue) {
        let type = envelope["type"]?.stringValue
        if type == Self.receivedType, let object = envelope.payloadObject {
            self.init(Self.receivedType, (object["params"]?.objectValue ?? object).filter { $0.key != "event" })
            return
        }
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
