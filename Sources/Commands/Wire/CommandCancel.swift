package import Kernel

/// The asker no longer wants an answer. Source: `docs/protocol.md`, "Cancelling".
package struct CommandCancel: Hashable, Sendable {
    /// The envelope's `type`.
    package static let type = "chainlesschain:command:cancel"

    /// The request's.
    package var id: String
    /// For a person who reads the wire; nothing depends on it, so no program reads it.
    package var reason: String?

    package init(id: String, reason: String? = nil) {
        self.id = id
        self.reason = reason
    }

    /// `id` stands in the payload, an object or a JSON text, or beside the type.
    ///
    /// - Throws: ``RemoteError/invalidRequest(_:)`` naming what does not fit.
    package init(envelope: JSONValue) throws(RemoteError) {
        guard envelope["type"]?.stringValue == Self.type else { throw .invalidRequest("type is not \(Self.type)") }
        guard let payload = (envelope["payload"] ?? envelope).parsedIfText(limit: CommandRequest.byteLimit) else {
            throw .invalidRequest("payload is not JSON")
        }
        guard let id = CommandRequest.identifier(payload["id"]), !id.isEmpty, id.utf8.count <= CommandRequest.idLimit
        else { throw .invalidRequest("id must be a text of 1 to \(CommandRequest.idLimit) bytes") }
        self.init(id: id)
    }

    /// The documented form: payload is an object.
    package var envelope: JSONValue {
        var payload: [String: JSONValue] = ["id": .string(id)]
        if let reason { payload["reason"] = .string(reason) }
        return ["type": .string(Self.type), "payload": .object(payload)]
    }
}
