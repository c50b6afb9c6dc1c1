import Crypto
import Foundation
import Kernel

/// The key by which a push service knows a sender again (RFC 8292 section 2). A browser binds its subscription to it, so it must last as long as
/// the subscriptions.
package struct VAPIDKey: Sendable {
    private let key: P256.Signing.PrivateKey

    /// A new random key.
    package init() { key = P256.Signing.PrivateKey() }

    /// - Parameter rawRepresentation: The private key, 32 bytes.
    /// - Throws: ``PushError/malformed(_:rule:)``.
    package init(rawRepresentation: [UInt8]) throws(PushError) {
        guard rawRepresentation.count == 32,
            let key = try? P256.Signing.PrivateKey(rawRepresentation: rawRepresentation)
        else { throw .malformed(.key, rule: "a private key of P-256, 32 bytes") }
        self.key = key
    }

    /// The private key, 32 bytes: to be kept like a password.
    package var rawRepresentation: [UInt8] { Array(key.rawRepresentation) }

    /// The public key, an uncompressed point of 65 bytes: what a page gives to `PushManager.subscribe` as `applicationServerKey`.
    package var publicKey: [UInt8] { Array(key.publicKey.x963Representation) }

    /// The JSON Web Token that identifies this sender at `origin` (RFC 8292 section 2).
    ///
    /// - Parameter expiry: Whole seconds count. Services refuse tokens that are good for longer than 24 hours.
    func token(for origin: PushOrigin, expiry: Date, contact: VAPIDContact?) throws(PushError) -> String {
        let input = Self.signingInput(for: origin, expiry: expiry, contact: contact)
        do {
            let signature = try key.signature(for: Data(input.utf8))
            return "\(input).\(Base64URL.encode(signature.rawRepresentation))"
        } catch {
            throw .malformed(.key, rule: "a key that can sign")
        }
    }

    /// The token without its signature.
    static func signingInput(for origin: PushOrigin, expiry: Date, contact: VAPIDContact?) -> String {
        var claims: [String: JSONValue] = [
            "aud": .string(origin.description), "exp": .integer(Int64(expiry.timeIntervalSince1970)),
        ]
        if let contact { claims["sub"] = .string(contact.text) }
        let head = Base64URL.encode(#"{"typ":"JWT","alg":"ES256"}"#.utf8)
        return "\(head).\(Base64URL.encode(JSONValue.object(claims).canonicalBytes))"
    }
}
