package import Sealing

/// A message 1 that was read: who sent it is proven, that it is no replay is not.
package struct ReceivedHandshake: Sendable {
    package let session: SessionID
    package let peer: SessionPeer
    package let counter: Int64
    let pattern: HandshakePattern
    let epoch: Epoch
    let acknowledged: Acknowledged
    private let identity: Identity
    private let noise: NoiseHandshake

    /// - Parameter ticket: The one that the message's `rid` names; nil for `IK`.
    /// - Throws: `SealingError` for anything that was not made for `identity` by the owner of the DID inside.
    package init(
        _ message: [UInt8],
        session: SessionID,
        pattern patternName: String,
        ticket: ResumptionTicket?,
        identity: Identity
    ) throws(SealingError) {
        guard let pattern = HandshakePattern(rawValue: patternName), (pattern == .resumed) == (ticket != nil) else {
            throw .malformedContents("a handshake")
        }
        var noise = try NoiseHandshake(
            pattern: pattern.noise,
            role: .responder,
            prologue: pattern.prologue(session),
            identity: identity,
            psk: ticket?.secret
        )
        let (bytes, hash) = try noise.read(message)
        guard let remoteStatic = noise.remoteStatic, ticket.map({ $0.peer == remoteStatic }) ?? true else {
            throw .identityNotProven
        }
        let payload = try HandshakePayload(decoding: bytes)
        try BindingSignature.verify(
            payload.signature,
            did: payload.did,
            role: .initiator,
            hash: hash,
            agreementKey: remoteStatic
        )
        self.session = session
        self.pattern = pattern
        self.identity = identity
        self.noise = noise
        peer = SessionPeer(did: payload.did, agreementKey: remoteStatic)
        counter = payload.counter
        epoch = payload.epoch
        acknowledged = payload.acknowledged
    }

    /// Message 2 and the keys that it leaves behind.
    package func answer(
        _ status: HandshakePayload.Status,
        epoch: Epoch,
        acknowledged: Acknowledged
    ) throws -> (frame: LinkFrame, keys: NoiseKeys) {
        var noise = noise
        let message = try noise.write { hash in
            try HandshakePayload(
                did: identity.did,
                signature: BindingSignature.make(identity: identity, role: .responder, hash: hash),
                counter: counter,
                epoch: epoch,
                acknowledged: acknowledged,
                status: status
            ).encoded
        }
        let frame = LinkFrame.handshake(session, pattern: pattern.rawValue, index: 2, resumption: nil, bytes: message)
        return (frame, try noise.finish())
    }
}
