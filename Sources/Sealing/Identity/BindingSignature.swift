/// The signature that ties a DID to a static key and to one handshake. Source: `docs/protocol.md` 2.3.
public enum BindingSignature {
    /// - Parameters:
    ///   - role: The signer's own role in the handshake.
    ///   - hash: The handshake hash just before the payload that carries the signature is sealed.
    public static func make(identity: Identity, role: NoiseHandshake.Role, hash: [UInt8]) throws -> [UInt8] {
        try identity.sign(message(role: role, hash: hash, agreementKey: identity.agreementKey))
    }

    /// - Parameters:
    ///   - role: The signer's role, so the opposite of one's own.
    ///   - agreementKey: The static key that the handshake proved to be the signer's.
    /// - Throws: ``SealingError/identityNotProven``, also for a DID that holds no Ed25519 key.
    public static func verify(
        _ signature: [UInt8],
        did: DID,
        role: NoiseHandshake.Role,
        hash: [UInt8],
        agreementKey: AgreementPublicKey
    ) throws(SealingError) {
        let message = message(role: role, hash: hash, agreementKey: agreementKey)
        guard let key = did.signingKey, key.verifies(signature, of: message) else { throw .identityNotProven }
    }

    private static func message(role: NoiseHandshake.Role, hash: [UInt8], agreementKey: AgreementPublicKey) -> [UInt8] {
        Array("tandem-bind-v1".utf8) + [0]
            + LengthValue.encode(role.rawValue)
            + LengthValue.encode(hash)
            + LengthValue.encode(agreementKey.bytes)
    }
}
