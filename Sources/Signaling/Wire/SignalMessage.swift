public import Kernel

/// Something for another registered device, forwarded by the relay or kept until that device comes.
public struct SignalMessage: Hashable, Sendable {
    /// The recipient's id.
    public var to: String
    /// What it is for, as the wire's `type` says.
    public var kind: SignalKind
    /// Of a `message` any value but an empty one; of the other kinds an object with their fields.
    public var payload: JSONValue
    /// Whether the fields go beside `type` or inside a `message`; a `message` itself has one form only.
    public var form: SignalForm
    /// Whether the recipient may become a contact, who sees from then on when this device is here. Not for a refusal to a stranger.
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
