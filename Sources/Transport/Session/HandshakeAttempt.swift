import Sealing

/// The initiator's half of one handshake: a message 1, and what it takes to read the answer.
struct HandshakeAttempt: Sendable {
    let session: SessionID
    let pattern: HandshakePattern
    let frame: LinkFrame
    let startedAt: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant
    private var noise: NoiseHandshake

    init(
        identity: Identity,
        peer: SessionPeer,
        ticket: ResumptionTicket?,
        counter: Int64,
        epoch: Epoch,
        acknowledged: Acknowledged,
        now: ContinuousClock.Instant,
        timeout: Duration
    ) throws {
        let session = SessionID.random()
        let pattern: HandshakePattern = ticket == nil ? .full : .resumed
        var noise = try NoiseHandshake(
            pattern: pattern.noise,
            role: .initiator,
            prologue: pattern.prologue(session),
            identity: identity,
            remote: peer.agreementKey,
            psk: ticket?.secret
        )
        let message = try noise.write { hash in
            try HandshakePayload(
                did: identity.did,
                signature: BindingSignature.make(identity: identity, role: .initiator, hash: hash),
                counter: counter,
                epoch: epoch,
                acknowledged: acknowledged
            ).encoded
        }
        self.session = session
        self.pattern = pattern
        self.noise = noise
        startedAt = now
        deadline = now + timeout
        frame = .handshake(session, pattern: pattern.rawValue, index: 1, resumption: ticket?.id, bytes: message)
    }

    /// Reads message 2. Nothing changes when it is refused, so a forged one does not end the attempt.
    ///
    /// - Throws: `SealingError` for anything that the peer did not make for this attempt.
    mutating func finish(
        _ message: [UInt8],
        peer: SessionPeer
    ) throws(SealingError) -> (payload: HandshakePayload, keys: NoiseKeys) {
        var next = noise
        let (bytes, hash) = try next.read(message)
        let payload = try HandshakePayload(decoding: bytes)
        guard payload.did == peer.did else { throw .identityNotProven }
        try BindingSignature.verify(
            payload.signature,
            did: payload.did,
            role: .responder,
            hash: hash,
            agreementKey: peer.agreementKey
        )
        let keys = try next.finish()
        noise = next
        return (payload, keys)
    }
}
