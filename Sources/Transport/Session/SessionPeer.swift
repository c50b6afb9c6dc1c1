public import Sealing

/// A paired device, as a session knows it.
public struct SessionPeer: Hashable, Sendable {
    /// The peer's identity.
    public let did: DID
    /// The static key that was stored for it at pairing.
    public let agreementKey: AgreementPublicKey

    public init(did: DID, agreementKey: AgreementPublicKey) {
        self.did = did
        self.agreementKey = agreementKey
    }
}
