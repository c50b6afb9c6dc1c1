import Crypto
import Foundation

/// A payload encrypted for one subscription (RFC 8291): the body that is posted to its endpoint.
package enum WebPushMessage {
    /// The longest payload in bytes: 4,096 without header (86), padding delimiter (1) and tag (16). Source: RFC 8291 section 4.
    package static let largestPayload = 3993
    /// The sizes that payloads are padded to, so that the push service learns one of four. Up to 2,048 bytes also come through to browsers
    /// on phones whose push service passes messages on through another with tighter bounds.
    package static let paddedSizes = [512, 1024, 2048, largestPayload]

    /// - Returns: The body. Each call gives another one: its salt and its key are new.
    /// - Throws: ``PushError/payloadTooLarge(limit:)``; ``PushError/malformed(_:rule:)`` where the keys cannot be used.
    package static func seal(_ payload: [UInt8], for subscription: WebPushSubscription) throws(PushError) -> [UInt8] {
        guard let size = paddedSizes.first(where: { $0 >= payload.count }) else {
            throw .payloadTooLarge(limit: largestPayload)
        }
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<EncryptedContent.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        do {
            return try seal(payload, paddedTo: size, for: subscription, salt: salt, key: P256.KeyAgreement.PrivateKey())
        } catch {
            throw .malformed(.p256dh, rule: "a key that can be agreed with")
        }
    }

    /// - Parameters:
    ///   - salt: 16 bytes.
    ///   - key: The sender's for this message alone.
    static func seal(
        _ payload: [UInt8],
        paddedTo size: Int,
        for subscription: WebPushSubscription,
        salt: [UInt8],
        key: P256.KeyAgreement.PrivateKey
    ) throws -> [UInt8] {
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.p256dh)
        let sender = key.publicKey.x963Representation
        let keyingMaterial = try key.sharedSecretFromKeyAgreement(with: receiver).hkdfDerivedSymmetricKey(
            using: SHA256.self,
            salt: subscription.auth,
            sharedInfo: Data("WebPush: info\0".utf8) + subscription.p256dh + sender,
            outputByteCount: 32
        )
        return try EncryptedContent.seal(
            payload,
            paddedTo: size,
            keyingMaterial: keyingMaterial,
            salt: salt,
            keyID: Array(sender)
        )
    }
}
