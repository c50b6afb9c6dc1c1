import Crypto

/// The Ed25519 key that checks what an identity signed.
public struct SigningPublicKey: Hashable, Sendable {
    public let bytes: [UInt8]

    /// - Throws: ``SealingError/wrongLength(of:expected:actual:)`` unless there are 32 bytes.
    public init(_ bytes: [UInt8]) throws(SealingError) {
        guard bytes.count == 32 else {
            throw .wrongLength(of: "signing key", expected: 32, actual: bytes.count)
        }
        self.bytes = bytes
    }

    /// A key that was computed here.
    init(own bytes: [UInt8]) { self.bytes = bytes }

    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
            return false  // bytes that are no point of the curve verify nothing
        }
        return key.isValidSignature(signature, for: message)
    }
}
