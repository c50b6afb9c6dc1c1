/// The keys that open the other end's records now: the current one, the next one, and for a while the previous one.
struct ReceivingKeys: Sendable {
    /// How long the previous key is kept, for records that were on the way, perhaps over a slower link, when the other end moved on.
    static let previousLifetime = Duration.seconds(60)

    private struct Previous {
        let cipher: NoiseCipher
        let acceptedUntil: ContinuousClock.Instant
    }

    private var generation: UInt32 = 0
    private var current: NoiseCipher
    private var previous: Previous?
    /// The next key. It is derived on first use and kept, so that forged records do not cause a derivation each.
    private var next: NoiseCipher?

    init(cipher: NoiseCipher) { current = cipher }

    var candidates: [UInt32] {
        [generation, generation == .max ? nil : generation + 1, generation == 0 ? nil : generation - 1].compactMap {
            $0
        }
    }

    /// The cipher of a generation; nil for one that is not accepted at `now`.
    mutating func cipher(of wanted: UInt32, now: ContinuousClock.Instant) throws(SealingError) -> NoiseCipher? {
        if let previous, now >= previous.acceptedUntil { self.previous = nil }
        if wanted == generation { return current }
        if generation < .max, wanted == generation + 1 {
            if let next { return next }
            let derived = try current.rekeyed()
            next = derived
            return derived
        }
        if generation > 0, wanted == generation - 1 { return previous?.cipher }
        return nil
    }

    /// Notes that a record of generation `verified` was opened. Where it is the next generation, it becomes the current one.
    mutating func moved(to verified: UInt32, now: ContinuousClock.Instant) {
        guard generation < .max, verified == generation + 1, let next else { return }
        previous = Previous(cipher: current, acceptedUntil: now.advanced(by: Self.previousLifetime))
        current = next
        generation = verified
        self.next = nil
    }
}
