import Foundation

/// Slows guessing of typed codes: three wrong ones in five minutes lock them for a minute, each one more for twice as
/// long as the last. Source: `docs/protocol.md` 2.3, "Typed code".
struct GuessLimiter: Sendable {
    private var failures: [Date] = []
    private var locks = 0
    private var wasSuspicious = false
    private(set) var lockedUntil: Date?

    mutating func fail(now: Date) {
        // An hour without a wrong code: the next one is a mistake again, not an attack.
        if let last = failures.last, now.timeIntervalSince(last) > 3600 { locks = 0 }
        wasSuspicious = true
        failures = failures.filter { now.timeIntervalSince($0) < 300 } + [now]
        guard failures.count >= 3 else { return }
        failures.removeFirst(failures.count - 3)
        lockedUntil = now.addingTimeInterval(60 * Double(1 << min(locks, 10)))
        locks += 1
    }

    /// Whether there is nothing that time would change.
    var isRelaxed: Bool { lockedUntil == nil && !wasSuspicious }

    /// Lets go of what is over.
    ///
    /// - Returns: Whether that changed anything for whoever shows it.
    mutating func relax(now: Date) -> Bool {
        let hadLock = lockedUntil != nil
        if let until = lockedUntil, now >= until { lockedUntil = nil }
        let hadSuspicion = wasSuspicious
        wasSuspicious = isSuspicious(now: now)
        return (hadLock && lockedUntil == nil) || (hadSuspicion && !wasSuspicious)
    }

    func isLocked(now: Date) -> Bool { lockedUntil.map { now < $0 } ?? false }

    func isSuspicious(now: Date) -> Bool { failures.last.map { now.timeIntervalSince($0) < 300 } ?? false }
}
