/// The other side of a finished pairing handshake, with the values that a record of it may hold.
public struct ProvenPeer: Hashable, Sendable {
    /// The other side's proven DID.
    public let did: DID
    /// The static key that the DID is bound to.
    public let agreementKey: AgreementPublicKey
    /// The other side's description of its device; the fields are claims.
    public let device: DeviceClaim
    /// The time at which it says it sent its proof, in milliseconds since 1970 by its clock.
    public let sentAtMilliseconds: Int64
}
