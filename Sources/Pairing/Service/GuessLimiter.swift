import Foundation

/// Slows guessing of typed codes: three wrong ones in five minutes lock them for a minute, each one more for twice as
/// long as the last. Source: `docs/protocol.md` 2.3, "Typed code".
struct GuessLimiter: Sendable {
    private var failures: [Date] = []
    private var locks = 0
    private(set) var lockedUntil: Date?

    mutating func fail(now: Date) {
        // An hour without a wrong code: the next one is a mistake again, not an attack.
        if let last = failures.last, now.timeIntervalSince(last) > 3600 { locks = 0 }
        failures = failures.filter { now.timeIntervalSince($0) < 300 } + [now]
        guard failures.count >= 3 else { return }
        failures.removeFirst(failures.count - 3)
        lockedUntil = now.addingTimeInterval(60 * Double(1 << min(locks, 10)))
        locks += 1
    }

    func isLocked(now: Date) -> Bool { lockedUntil.map { now < $0 } ?? false }

    func isSuspicious(now: Date) -> Bool { failures.last.map { now.timeIntervalSince($0) < 300 } ?? false }
}
