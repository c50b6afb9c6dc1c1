/// The other side of a finished pairing handshake: what may be written down about it.
public struct ProvenPeer: Hashable, Sendable {
    /// Who the other end is.
    public let did: DID
    /// The static key that this identity is bound to.
    public let agreementKey: AgreementPublicKey
    /// What it says about its device; the fields are claims.
    public let device: DeviceClaim
    /// When it says it sent its proof: milliseconds since 1970 by its clock.
    public let sentAtMilliseconds: Int64
}
