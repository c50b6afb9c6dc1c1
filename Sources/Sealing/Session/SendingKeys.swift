/// The key that this end seals with now, and its usage so far.
struct SendingKeys: Sendable {
    private(set) var cipher: NoiseCipher
    private let policy: RekeyPolicy
    private var generation: UInt32 = 0
    private var sequence: UInt64 = 0
    private var records: UInt64 = 0
    private var bytes: UInt64 = 0
    private var startedAt: ContinuousClock.Instant

    init(cipher: NoiseCipher, policy: RekeyPolicy, now: ContinuousClock.Instant) {
        self.cipher = cipher
        self.policy = policy
        startedAt = now
    }

    /// Takes the generation and sequence number for the next record, which has `count` bytes and is sealed with ``cipher`` then.
    mutating func take(bytes count: UInt64, now: ContinuousClock.Instant) throws(SealingError) -> (UInt32, UInt64) {
        let isWorn = records >= policy.records || (records > 0 && bytes + count > policy.bytes)
        if isWorn || now - startedAt >= policy.age {
            guard generation < .max else { throw .keysExhausted }
            cipher = try cipher.rekeyed()
            generation += 1
            records = 0
            bytes = 0
            startedAt = now
        }
        guard sequence <= NoiseCipher.greatestNonce else { throw .keysExhausted }
        defer { sequence += 1 }
        records += 1
        bytes += count
        return (generation, sequence)
    }
}
