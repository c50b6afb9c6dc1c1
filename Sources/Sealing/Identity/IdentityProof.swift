import Kernel

/// The payload of a pairing handshake message: the sender's identity and the signature that proves it.
/// Source: `docs/protocol.md` 2.3, "Payload".
public struct IdentityProof: Hashable, Codable, Sendable {
    /// The sender's DID, a claim until ``signature`` is verified.
    public var did: DID
    /// Base64url of an Ed25519 signature; see ``BindingSignature``.
    public var signature: String
    /// The sender's description of its device.
    public var device: DeviceClaim
    /// Milliseconds since 1970-01-01T00:00:00Z, by the sender's clock.
    public var sentAtMilliseconds: Int64

    enum CodingKeys: String, CodingKey {
        case did
        case signature = "sig"
        case device
        case sentAtMilliseconds = "t"
    }

    /// - Parameters:
    ///   - role: The signer's own role.
    ///   - hash: The handshake hash just before the payload is sealed.
    public static func make(
        identity: Identity,
        role: NoiseHandshake.Role,
        hash: [UInt8],
        device: DeviceClaim,
        nowMilliseconds: Int64
    ) throws -> IdentityProof {
        IdentityProof(
            did: identity.did,
            signature: Base64URL.encode(try BindingSignature.make(identity: identity, role: role, hash: hash)),
            device: device,
            sentAtMilliseconds: nowMilliseconds
        )
    }

    /// - Parameters:
    ///   - role: The signer's role, so the opposite of one's own.
    ///   - remoteStatic: The static key that the handshake proved to be the signer's.
    /// - Returns: The verified DID.
    public func verify(
        role: NoiseHandshake.Role,
        hash: [UInt8],
        remoteStatic: AgreementPublicKey
    ) throws(SealingError) -> DID {
        guard let bytes = Base64URL.decode(signature) else { throw .identityNotProven }
        try BindingSignature.verify(bytes, did: did, role: role, hash: hash, agreementKey: remoteStatic)
        return did
    }

    /// The JSON on the wire.
    public var encoded: [UInt8] {
        get throws { try JSONValue(encoding: self).canonicalBytes }
    }

    /// - Throws: ``SealingError/malformedContents(_:)`` unless the payload has the documented form and size.
    public init(decoding payload: [UInt8]) throws(SealingError) {
        let decoded: IdentityProof
        do {
            decoded = try JSONValue(parsing: payload).decode(as: IdentityProof.self)
        } catch {
            throw .malformedContents("its identity")
        }
        guard decoded.device.isWithinBounds else { throw .malformedContents("its identity") }
        self = decoded
    }

    private init(did: DID, signature: String, device: DeviceClaim, sentAtMilliseconds: Int64) {
        self.did = did
        self.signature = signature
        self.device = device
        self.sentAtMilliseconds = sentAtMilliseconds
    }
}
