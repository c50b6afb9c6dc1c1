public import Kernel

/// Something for another registered device, forwarded by the relay or kept until that device comes.
public struct SignalMessage: Hashable, Sendable {
    public var to: String
    public var kind: SignalKind
    /// Of a `message` any value but an empty one; of the other kinds an object with their fields.
    public var payload: JSONValue
    public var form: SignalForm

    public init(to: String, kind: SignalKind = .message, payload: JSONValue, form: SignalForm = .topLevel) {
        self.to = to
        self.kind = kind
        self.payload = payload
        self.form = form
    }

    var json: JSONValue {
        if kind == .message { return ["type": "message", "to": .string(to), "payload": payload] }
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
