import Kernel
public import Sealing

/// A request that a device can sign: the proof stands in three members beside the others, which it covers.
public protocol ProvenRequest: Codable, Hashable, Sendable {
    static var purpose: AccountProof.Purpose { get }

    /// The `did:key` of the device; nil in a request that is not signed.
    var did: String? { get set }
    /// The hub's challenge, as it was told.
    var challenge: String? { get set }
    /// The signature in Base64URL.
    var signature: String? { get set }
}

extension ProvenRequest {
    /// Signs the request as it is now; a later change of a member makes the signature void.
    ///
    /// - Parameter host: The authority dialled, as in the HTTP `Host` header.
    public mutating func prove(by identity: Identity, challenge: String, host: String) throws {
        let signature = try AccountProof.sign(
            JSONValue(encoding: self),
            for: Self.purpose,
            challenge: challenge,
            host: host,
            identity: identity
        )
        did = identity.did.text
        self.challenge = challenge
        self.signature = Base64URL.encode(signature)
    }
}
