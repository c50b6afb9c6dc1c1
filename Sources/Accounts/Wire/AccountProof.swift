public import Kernel
public import Sealing

/// The signature with which a device proves to a hub that it owns a key. Source: `docs/protocol.md`, "Accounts".
public enum AccountProof {
    /// The one thing that a proof is for: it opens nothing else.
    public enum Purpose: String, Hashable, Sendable, CaseIterable {
        case register, login, refresh
        /// A key is added to an account.
        case key
    }

    /// The members of a request that are the proof and not signed.
    public static let members: Set = ["did", "challenge", "signature"]

    /// - Parameters:
    ///   - request: The whole request, with or without the proof's own members.
    ///   - host: The authority dialled, as in the HTTP `Host` header: a hub that passes on another's challenge gains nothing.
    public static func sign(
        _ request: JSONValue,
        for purpose: Purpose,
        challenge: String,
        host: String,
        identity: Identity
    ) throws -> [UInt8] {
        try identity.sign(message(request, purpose, challenge: challenge, host: host, did: identity.did))
    }

    /// - Throws: `SealingError.identityNotProven`, also for a DID that holds no Ed25519 key and for a request that named no host.
    public static func verify(
        _ signature: [UInt8],
        of request: JSONValue,
        for purpose: Purpose,
        challenge: String,
        host: String,
        did: DID
    ) throws(SealingError) {
        let message = message(request, purpose, challenge: challenge, host: host, did: did)
        guard !host.isEmpty, let key = did.signingKey, key.verifies(signature, of: message) else {
            throw .identityNotProven
        }
    }

    private static func message(
        _ request: JSONValue,
        _ purpose: Purpose,
        challenge: String,
        host: String,
        did: DID
    ) -> [UInt8] {
        let others = (request.objectValue ?? [:]).filter { !members.contains($0.key) }
        return Array("tandem-account-1".utf8) + [0]
            + LengthValue.encode(purpose.rawValue)
            + LengthValue.encode(challenge)
            + LengthValue.encode(host.lowercased())
            + LengthValue.encode(did.text)
            + LengthValue.encode(Hashing.sha256(JSONValue.object(others).canonicalBytes))
    }
}
