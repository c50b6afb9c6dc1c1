/// The keys with which records of the other end may be sealed now: the current, the next, and for a while the previous.
struct ReceivingKeys: Sendable {
    /// Records that were on the way, perhaps over a slower link, when the other end moved on.
    static let previousLifetime = Duration.seconds(60)

    private struct Previous {
        let cipher: NoiseCipher
        let acceptedUntil: ContinuousClock.Instant
    }

    private var generation: UInt32 = 0
    private var current: NoiseCipher
    private var previous: Previous?
    /// Derived when first asked for, and kept, so that forged records do not make us derive it again and again.
    private var next: NoiseCipher?

    init(cipher: NoiseCipher) { current = cipher }

    var candidates: [UInt32] {
        [generation, generation == .max ? nil : generation + 1, generation == 0 ? nil : generation - 1].compactMap {
            $0
        }
    }

    /// Nil for a generation that is not accepted at `now`.
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

    /// A record of `verified` was opened: when it is the next generation, it is the current one from now on.
    mutating func moved(to verified: UInt32, now: ContinuousClock.Instant) {
        guard generation < .max, verified == generation + 1, let next else { return }
        previous = Previous(cipher: current, acceptedUntil: now.advanced(by: Self.previousLifetime))
        current = next
        generation = verified
        self.next = nil
    }
}
