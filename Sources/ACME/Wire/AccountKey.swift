package import Crypto
import Foundation
package import Kernel
package import WebClient

/// The key of an account, which signs every request (RFC 8555 section 6.2), by ES256.
package struct AccountKey: Sendable {
    /// Who a request says it is from.
    package enum Signer: Sendable {
        /// The key itself, for the account's registration.
        case key
        /// The account's address.
        case account(WebURL)
    }

    private let key: P256.Signing.PrivateKey

    /// A new random key.
    package init() { key = P256.Signing.PrivateKey() }

    /// - Throws: What the crypto library says of a text that is no key.
    package init(pem: String) throws { key = try P256.Signing.PrivateKey(pemRepresentation: pem) }

    /// The private key, PKCS #8: to be kept like a password.
    package var pem: String { key.pemRepresentation }
    package var publicKey: P256.Signing.PublicKey { key.publicKey }

    /// The public key as a JSON Web Key (RFC 7518 section 6.2.1).
    package var webKey: [String: String] {
        let point = key.publicKey.rawRepresentation
        return [
            "crv": "P-256", "kty": "EC", "x": Base64URL.encode(point.prefix(32)),
            "y": Base64URL.encode(point.suffix(32)),
        ]
    }

    /// What proves that this account asked for the challenge with this token (RFC 8555 section 8.1).
    package func keyAuthorization(for token: ChallengeToken) -> String {
        "\(token.text).\(WebKeyThumbprint.of(webKey))"
    }

    /// A request's body: the flattened JSON of a signature (RFC 7515 section 7.2.2).
    ///
    /// - Parameter payload: Nil asks for what stands at the address: a POST-as-GET.
    /// - Throws: What the crypto library says.
    package func sign(_ payload: JSONValue?, to url: WebURL, nonce: Nonce, as signer: Signer) throws -> [UInt8] {
        var head: [String: JSONValue] = [
            "alg": "ES256", "nonce": .string(nonce.text), "url": .string(url.text),
        ]
        switch signer {
        case .key: head["jwk"] = .object(webKey.mapValues(JSONValue.string))
        case .account(let account): head["kid"] = .string(account.text)
        }
        let protected = Base64URL.encode(JSONValue.object(head).canonicalBytes)
        let body = payload.map { Base64URL.encode($0.canonicalBytes) } ?? ""
        let signature = try key.signature(for: Data("\(protected).\(body)".utf8))
        let whole: JSONValue = [
            "protected": .string(protected), "payload": .string(body),
            "signature": .string(Base64URL.encode(signature.rawRepresentation)),
        ]
        return Array(whole.canonicalBytes)
    }
}

/// The thumbprint of a JSON Web Key (RFC 7638).
package enum WebKeyThumbprint {
    /// - Parameter key: The members that its kind of key requires, and no others.
    package static func of(_ key: [String: String]) -> String {
        Base64URL.encode(SHA256.hash(data: JSONValue.object(key.mapValues(JSONValue.string)).canonicalBytes))
    }
}
