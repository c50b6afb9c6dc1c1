/// The signature with which a client proves to a signaling server that it owns an id. Source: `docs/protocol.md` 2.1.
public enum RegistrationProof {
    /// - Parameters:
    ///   - nonce: The server's nonce, 32 bytes.
    ///   - host: The authority dialled, as in the HTTP `Host` header. It keeps a relay from passing on another's nonce.
    ///   - binding: The TLS connection that the proof is for, where the server offers to check that.
    public static func sign(
        identity: Identity,
        peerID: String,
        nonce: [UInt8],
        host: String,
        binding: ChannelBinding? = nil
    ) throws -> [UInt8] {
        try identity.sign(message(peerID: peerID, nonce: nonce, host: host, binding: binding))
    }

    /// - Parameter key: The `did:key` that the client claims to sign with.
    /// - Throws: ``SealingError/identityNotProven``, also for a DID that holds no Ed25519 key.
    public static func verify(
        _ signature: [UInt8],
        key: DID,
        peerID: String,
        nonce: [UInt8],
        host: String,
        binding: ChannelBinding? = nil
    ) throws(SealingError) {
        let message = message(peerID: peerID, nonce: nonce, host: host, binding: binding)
        guard let signer = key.signingKey, signer.verifies(signature, of: message) else { throw .identityNotProven }
    }

    private static func message(peerID: String, nonce: [UInt8], host: String, binding: ChannelBinding?) -> [UInt8] {
        Array("tandem-register-v1".utf8) + [0]
            + LengthValue.encode(peerID)
            + LengthValue.encode(nonce)
            + LengthValue.encode(host.lowercased())
            + (binding.map {
                LengthValue.encode(ChannelBinding.serverEndPoint) + LengthValue.encode($0.certificateHash)
            } ?? [])
    }
}

/// The TLS connection that a proof is bound to, by the server's certificate. Source: `docs/protocol.md` 2.1.
public struct ChannelBinding: Hashable, Sendable {
    /// The type's name, as in RFC 5929.
    public static let serverEndPoint = "tls-server-end-point"

    /// SHA-256 of the server's certificate, DER.
    public let certificateHash: [UInt8]

    public init(certificateHash: [UInt8]) { self.certificateHash = certificateHash }
}
