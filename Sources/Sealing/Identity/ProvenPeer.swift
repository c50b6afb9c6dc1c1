/// The other side of a finished pairing handshake: what may be written down about it.
public struct ProvenPeer: Hashable, Sendable {
    public let did: DID
    public let agreementKey: AgreementPublicKey
    public let device: DeviceClaim
    /// When it says it sent its proof: milliseconds since 1970 by its clock.
    public let sentAtMilliseconds: Int64
}
