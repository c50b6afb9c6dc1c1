public import Sealing

/// Says who is paired. Asked for every handshake, so a device that was removed is refused from then on.
public protocol PeerAuthorizer: Sendable {
    /// The paired device that owns both keys; nil for a stranger.
    func peer(for agreementKey: AgreementPublicKey, did: DID) async -> SessionPeer?
}
