public import Sealing

/// A secret that both ends keep of their last session, so that the next handshake also rests on it.
public struct ResumptionTicket: Hashable, Sendable {
    /// The static key of the peer that shares the secret.
    public let peer: AgreementPublicKey
    /// 16 bytes, sent in the clear.
    public let id: [UInt8]
    /// 32 bytes, never sent and never logged.
    public let secret: [UInt8]

    public init(peer: AgreementPublicKey, id: [UInt8], secret: [UInt8]) {
        self.peer = peer
        self.id = id
        self.secret = secret
    }
}
