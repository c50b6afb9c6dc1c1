import Sealing

/// A session whose handshake is over.
struct LiveSession: Sendable {
    let id: SessionID
    let ticket: ResumptionTicket
    let bulkSecret: BulkSecret
    let startedAt: ContinuousClock.Instant
    private var records: SealedSession

    init(id: SessionID, keys: NoiseKeys, peer: SessionPeer, now: ContinuousClock.Instant) throws(SealingError) {
        self.id = id
        startedAt = now
        ticket = ResumptionTicket(peer: peer.agreementKey, id: keys.resumptionID, secret: keys.resumptionSecret)
        bulkSecret = BulkSecret(session: id.bytes, bytes: keys.bulkSecret)
        records = try SealedSession(id: id.bytes, keys: keys, now: now)
    }

    mutating func seal(_ body: SessionBody, now: ContinuousClock.Instant) throws(SealingError) -> LinkFrame {
        let record = try records.seal(body.head, body.bytes, now: now)
        return .record(
            id,
            generation: record.generation,
            sequence: record.sequence,
            ciphertext: record.ciphertext[...]
        )
    }

    /// - Parameter isCompact: Whether `generation` is only its low eight bits.
    /// - Returns: Nil for a verified body that this version does not know.
    mutating func open(
        generation: UInt32,
        isCompact: Bool,
        sequence: UInt64,
        ciphertext: ArraySlice<UInt8>,
        now: ContinuousClock.Instant
    ) throws(SealingError) -> SessionBody? {
        var generation = generation
        if isCompact {
            guard let whole = records.receivedGeneration(lowByte: UInt8(truncatingIfNeeded: generation)) else {
                throw .unknownGeneration(generation)
            }
            generation = whole
        }
        return try records.open(
            generation: generation,
            sequence: sequence,
            ciphertext: ciphertext,
            now: now,
            reading: SessionBody.init
        )
    }
}
