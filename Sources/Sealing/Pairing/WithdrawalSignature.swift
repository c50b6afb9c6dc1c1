/// The signature with which a phone takes back its request to a computer. Source: `docs/protocol.md` 2.3, "Both or neither".
public enum WithdrawalSignature {
    /// - Parameters:
    ///   - identity: The phone's identity.
    ///   - code: The six digits that the question named.
    ///   - digest: SHA-256 of the question in canonical form. Each question contains a fresh key, so no two have the same digest.
    public static func make(identity: Identity, code: String, digest: [UInt8]) throws -> [UInt8] {
        try identity.sign(message(code: code, digest: digest))
    }

    /// - Throws: ``SealingError/identityNotProven``, also for a DID that holds no Ed25519 key.
    public static func verify(
        _ signature: [UInt8],
        did: DID,
        code: String,
        digest: [UInt8]
    ) throws(SealingError) {
        guard let key = did.signingKey, key.verifies(signature, of: message(code: code, digest: digest)) else {
            throw .identityNotProven
        }
    }

    private static func message(code: String, digest: [UInt8]) -> [UInt8] {
        Array("tandem-withdraw-v1".utf8) + [0] + LengthValue.encode(code) + LengthValue.encode(digest)
    }
}
