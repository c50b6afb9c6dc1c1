public import Kernel

/// A message to another registered device. The relay forwards it, or keeps it until that device comes.
public struct SignalMessage: Hashable, Sendable {
    /// The recipient's id.
    public var to: String
    /// The message's kind, the wire's `type`.
    public var kind: SignalKind
    /// The payload: any value but an empty one for a `message`, an object with their fields for other kinds.
    public var payload: JSONValue
    /// Whether the fields go beside `type` or inside a `message`; a `message` itself has one form only.
    public var form: SignalForm
    /// Whether the recipient may become a contact, which then sees when this device is online. False for a refusal to a stranger.
    public var makesContact: Bool

    public init(
        to: String,
        kind: SignalKind = .message,
        payload: JSONValue,
        form: SignalForm = .topLevel,
        makesContact: Bool = true
    ) {
        self.to = to
        self.kind = kind
        self.payload = payload
        self.form = form
        self.makesContact = makesContact
    }

    var json: JSONValue {
        if kind == .message {
            return .object(compacting: [
                "type": "message", "to": .string(to), "payload": payload, "contact": makesContact ? nil : false,
            ])
        }
        var members = payload.objectValue ?? [:]
        members["type"] = .string(kind.rawValue)
        switch form {
        case .nested:
            return ["type": "message", "to": .string(to), "payload": .object(members)]
        case .topLevel:
            members["to"] = .string(to)
            return .object(members)
        }
    }
}
