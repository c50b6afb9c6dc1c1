import Foundation
package import Kernel

/// A phone asks the desktop to do one thing. Source: `docs/protocol.md`, "Command envelopes".
package struct CommandRequest: Hashable, Sendable {
    /// How the asker wrote its payload; the answer takes the same form.
    package enum Form: Hashable, Sendable {
        /// The documented one: payload is an object.
        case object
        /// Payload is a JSON text holding a JSON-RPC 2.0 request.
        case text
    }

    /// The largest request read, in bytes.
    package static let byteLimit = 700_000
    /// The longest ``id``, in bytes of UTF-8.
    package static let idLimit = 128
    /// The longest ``method``, in bytes of UTF-8.
    package static let methodLimit = 128

    /// Chosen by the asker; an idempotency key.
    package var id: String
    /// ``id`` as the asker wrote it, a text or a number: the answer has the same.
    package var writtenID: JSONValue
    /// `namespace.action`, for example `system.ping`.
    package var method: String
    /// The parameters that the asker gave; an empty object where it gave none.
    package var params: JSONValue
    /// The answer takes the same.
    package var form: Form
    /// The asker's claims about itself, which only count where no session vouches for it.
    package var auth: CommandAuth?
    /// Ours: the answer is kept on disk, so that a repeat is answered and not done again also after a restart.
    package var isDurable: Bool
    /// The asker takes a result that is too large for one message as a stream.
    package var acceptsStream: Bool

    package init(
        id: String,
        writtenID: JSONValue? = nil,
        method: String,
        params: JSONValue = .object([:]),
        form: Form = .object,
        auth: CommandAuth? = nil,
        isDurable: Bool = false,
        acceptsStream: Bool = false
    ) {
        self.id = id
        self.writtenID = writtenID ?? .string(id)
        self.method = method
        self.params = params
        self.form = form
        self.auth = auth
        self.isDurable = isDurable
        self.acceptsStream = acceptsStream
    }
}

extension CommandRequest {
    /// The envelope's `type`.
    package static let type = "chainlesschain:command:request"

    /// - Throws: ``RemoteError/invalidRequest(_:)`` naming what does not fit.
    package init(envelope: JSONValue) throws(RemoteError) {
        guard envelope["type"]?.stringValue == Self.type else { throw .invalidRequest("type is not \(Self.type)") }
        let form: Form
        switch envelope["payload"] {
        case .object?: form = .object
        case .string?: form = .text
        default: throw .invalidRequest("payload is missing")
        }
        guard let payload = envelope["payload"]?.parsedIfText(limit: Self.byteLimit) else {
            throw .invalidRequest("payload is not JSON")
        }
        guard let id = Self.identifier(payload["id"]), !id.isEmpty, id.utf8.count <= Self.idLimit else {
            throw .invalidRequest("id must be a text of 1 to \(Self.idLimit) bytes")
        }
        guard let method = payload["method"]?.stringValue, !method.isEmpty, method.utf8.count <= Self.methodLimit else {
            throw .invalidRequest("method must be a text of 1 to \(Self.methodLimit) bytes")
        }
        self.init(
            id: id,
            writtenID: payload["id"],
            method: method,
            params: payload["params"] ?? .object([:]),
            form: form,
            auth: CommandAuth(payload: payload),
            isDurable: payload["durable"]?.boolValue ?? false,
            acceptsStream: payload["acceptsStream"]?.boolValue ?? false
        )
    }

    /// JSON-RPC allows numbers as ids.
    static func identifier(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text)?: text
        case .integer, .number: value?.canonicalText
        default: nil
        }
    }

    /// The documented form. `auth` names the asker for desktops that read it; ours believe the session only.
    package func envelope(mobileDID: String) -> JSONValue {
        var payload: [String: JSONValue] = [
            "id": .string(id), "method": .string(method), "params": params,
            "auth": ["mobileDid": .string(mobileDID), "did": .string(mobileDID)],
        ]
        if isDurable { payload["durable"] = true }
        if acceptsStream { payload["acceptsStream"] = true }
        return ["type": .string(Self.type), "payload": .object(payload)]
    }
}
