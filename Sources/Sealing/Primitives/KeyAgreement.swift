import Crypto

/// An X25519 secret key, and its Diffie-Hellman function.
struct KeyAgreement: Sendable {
    private let key: Curve25519.KeyAgreement.PrivateKey

    init() { key = Curve25519.KeyAgreement.PrivateKey() }

    init(_ bytes: [UInt8]) throws(SealingError) {
        do {
            key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        } catch {
            throw .wrongLength(of: "secret key", expected: 32, actual: bytes.count)
        }
    }

    var bytes: [UInt8] { Array(key.rawRepresentation) }
    var publicBytes: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// - Throws: ``SealingError/weakKey`` when the result is zero, which it would then be for every secret key.
    func sharedSecret(with point: [UInt8]) throws(SealingError) -> [UInt8] {
        let secret: [UInt8]
        do {
            let other = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: point)
            secret = try key.sharedSecretFromKeyAgreement(with: other).withUnsafeBytes { Array($0) }
        } catch {
            // CryptoKit refuses a zero result itself; swift-crypto leaves that to its caller.
            throw .weakKey
        }
        guard secret.reduce(0, |) != 0 else { throw .weakKey }
        return secret
    }
}
