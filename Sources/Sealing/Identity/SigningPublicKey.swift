import Crypto

/// The Ed25519 public key that verifies an identity's signatures.
public struct SigningPublicKey: Hashable, Sendable {
    /// The compressed point, 32 bytes, as in RFC 8032.
    public let bytes: [UInt8]

    /// - Throws: ``SealingError/wrongLength(of:expected:actual:)`` unless there are 32 bytes,
    ///   ``SealingError/weakKey`` for a point of low order.
    public init(_ bytes: [UInt8]) throws(SealingError) {
        guard bytes.count == 32 else {
            throw .wrongLength(of: "signing key", expected: 32, actual: bytes.count)
        }
        guard !Self.hasLowOrder(bytes) else { throw .weakKey }
        self.bytes = bytes
    }

    /// Makes a key that was computed here.
    init(own bytes: [UInt8]) { self.bytes = bytes }

    /// Whether the key is a point of low order, for which signatures can be forged. The points are those of Curve25519, mapped by
    /// u = (1 + y) / (1 - y).
    private static func hasLowOrder(_ bytes: [UInt8]) -> Bool {
        let one = FieldElement(small: 1)
        let y = FieldElement(littleEndian: bytes)
        return AgreementPublicKey.hasLowOrder(((one + y) * (one - y).inverse).littleEndian)
    }

    /// Whether `signature` (64 bytes; any other length is false) is this key's over `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
            return false  // bytes that are no point of the curve verify nothing
        }
        return key.isValidSignature(signature, for: message)
    }
}
