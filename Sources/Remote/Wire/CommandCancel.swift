public import Kernel

/// The asker does not wait for an answer any more. Source: `docs/protocol.md`, "Cancelling".
public struct CommandCancel: Hashable, Sendable {
    public static let type = "chainlesschain:command:cancel"
    public static let reasonLimit = 256

    /// The request's.
    public var id: String
    public var reason: String?

    public init(id: String, reason: String? = nil) {
        self.id = id
        self.reason = reason
    }

    public var envelope: JSONValue {
        var payload: [String: JSONValue] = ["id": .string(id)]
        if let reason { payload["reason"] = .string(reason) }
        return ["type": .string(Self.type), "payload": .object(payload)]
    }

    /// Reads the payload as an object or as a JSON text. Nil for anything else; a reason that is too long is left out.
    public init?(envelope: JSONValue) {
        guard envelope["type"]?.stringValue == Self.type, let payload = envelope.payloadObject,
            let id = payload["id"]?.stringValue ?? payload["id"]?.integerValue.map(String.init),
            (1...CommandRequest.idLimit).contains(id.utf8.count)
        else { return nil }
        let reason = payload["reason"]?.stringValue
        self.init(id: id, reason: reason.flatMap { $0.utf8.count <= Self.reasonLimit ? $0 : nil })
    }
}
