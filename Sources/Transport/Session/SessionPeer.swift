public import Sealing

/// A paired device, as a session knows it.
public struct SessionPeer: Hashable, Sendable {
    public let did: DID
    public let agreementKey: AgreementPublicKey

    public init(did: DID, agreementKey: AgreementPublicKey) {
        self.did = did
        self.agreementKey = agreementKey
    }
}
