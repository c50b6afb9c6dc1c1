import Crypto
package import Kernel

/// A browser's push subscription, by which messages reach its page: where to, and the keys to encrypt for (RFC 8291 section 2). Everything
/// in it is a claim of the device until it has come through here.
package struct WebPushSubscription: Hashable, Sendable, CustomStringConvertible {
    package let endpoint: PushEndpoint
    /// The page's public key: an uncompressed point of P-256, 65 bytes.
    package let p256dh: [UInt8]
    /// The authentication secret: 16 bytes.
    package let auth: [UInt8]

    /// - Throws: ``PushError/malformed(_:rule:)`` for keys of another length or a point that is not on the curve.
    package init(endpoint: PushEndpoint, p256dh: [UInt8], auth: [UInt8]) throws(PushError) {
        guard p256dh.count == 65, p256dh.first == 4,
            (try? P256.KeyAgreement.PublicKey(x963Representation: p256dh)) != nil
        else { throw .malformed(.p256dh, rule: "an uncompressed point of P-256, 65 bytes") }
        guard auth.count == 16 else { throw .malformed(.auth, rule: "16 bytes") }
        self.endpoint = endpoint
        self.p256dh = p256dh
        self.auth = auth
    }

    /// - Parameters:
    ///   - p256dh: Base64url, with or without padding.
    ///   - auth: Base64url, with or without padding.
    ///   - allowing: See ``PushEndpoint/init(_:allowing:)``.
    /// - Throws: ``PushError/malformed(_:rule:)`` naming the field; ``PushError/originNotAllowed(_:)``.
    package init(
        endpoint: String,
        p256dh: String,
        auth: String,
        allowing: Set<PushOrigin> = []
    ) throws(PushError) {
        guard let point = Self.decode(p256dh) else { throw .malformed(.p256dh, rule: "base64url") }
        guard let secret = Self.decode(auth) else { throw .malformed(.auth, rule: "base64url") }
        try self.init(endpoint: PushEndpoint(endpoint, allowing: allowing), p256dh: point, auth: secret)
    }

    /// - Parameters:
    ///   - json: The object that `PushSubscription.toJSON()` gives in a browser (Push API section 8): `endpoint`, and `keys` with `p256dh`
    ///     and `auth`.
    ///   - allowing: See ``PushEndpoint/init(_:allowing:)``.
    /// - Throws: ``PushError/malformed(_:rule:)`` naming the field; ``PushError/originNotAllowed(_:)``.
    package init(_ json: JSONValue, allowing: Set<PushOrigin> = []) throws(PushError) {
        guard json.objectValue != nil else { throw .malformed(.subscription, rule: "an object") }
        func text(_ value: JSONValue?, _ field: PushError.Field) throws(PushError) -> String {
            guard let text = value?.stringValue else { throw .malformed(field, rule: "a text") }
            return text
        }
        try self.init(
            endpoint: text(json["endpoint"], .endpoint),
            p256dh: text(json["keys"]?["p256dh"], .p256dh),
            auth: text(json["keys"]?["auth"], .auth),
            allowing: allowing
        )
    }

    /// The JSON form that ``init(_:allowing:)`` reads.
    package var json: JSONValue {
        [
            "endpoint": .string(endpoint.text),
            "keys": ["p256dh": .string(Base64URL.encode(p256dh)), "auth": .string(Base64URL.encode(auth))],
        ]
    }

    /// Nothing secret: for logs and errors.
    package var description: String { "a subscription at \(endpoint.origin)" }

    /// Strict: the one spelling of these bytes, with at most the padding behind it.
    private static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count <= 128, let bytes = Base64URL.decode(text) else { return nil }
        let plain = Base64URL.encode(bytes)
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return text == plain || text == plain + padding ? bytes : nil
    }
}
