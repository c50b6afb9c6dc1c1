import Foundation

/// Limits guessing of typed codes: three wrong ones in five minutes lock them for a minute, each further one for twice as
/// long as the last. Source: `docs/protocol.md` 2.3, "Typed code".
struct GuessLimiter: Sendable {
    /// The longest lock, 17 hours.
    static let longestLock: TimeInterval = 60 * 1024
    /// The time without a wrong code or a lock after which locks begin at one minute again: the next wrong code is then a mistake.
    static let forgivenAfter: TimeInterval = 86_400

    private(set) var record: GuessRecord
    /// When a sender last sent too many wrong frames. They are no guesses, but worth a warning.
    private var interferedAt: Date?
    private var wasSuspicious = false

    init(_ record: GuessRecord = GuessRecord(), now: Date) {
        self.record = record
        // A record written with a wrong clock must not lock for longer than the longest lock.
        self.record.lockedUntil = record.lockedUntil.map { min($0, now.addingTimeInterval(Self.longestLock)) }
        wasSuspicious = isSuspicious(now: now)
    }

    var lockedUntil: Date? { record.lockedUntil }

    mutating func fail(now: Date) {
        if let quietSince = record.quietSince, now.timeIntervalSince(quietSince) > Self.forgivenAfter {
            record.locks = 0
        }
        wasSuspicious = true
        record.quietSince = now
        record.failures = record.failures.filter { now.timeIntervalSince($0) < 300 } + [now]
        guard record.failures.count >= 3 else { return }
        record.failures.removeFirst(record.failures.count - 3)
        let until = now.addingTimeInterval(min(60 * Double(1 << min(record.locks, 10)), Self.longestLock))
        record.lockedUntil = until
        record.quietSince = until
        record.locks = min(record.locks + 1, 11)
    }

    mutating func noteInterference(now: Date) {
        interferedAt = now
        wasSuspicious = true
    }

    /// Whether no lock or suspicion is waiting to end.
    var isRelaxed: Bool { record.lockedUntil == nil && !wasSuspicious }

    /// Ends a lock or a suspicion whose time is over.
    ///
    /// - Returns: Whether that changed what a screen shows.
    mutating func relax(now: Date) -> Bool {
        let hadLock = record.lockedUntil != nil
        if let until = record.lockedUntil, now >= until { record.lockedUntil = nil }
        let hadSuspicion = wasSuspicious
        wasSuspicious = isSuspicious(now: now)
        return (hadLock && record.lockedUntil == nil) || (hadSuspicion && !wasSuspicious)
    }

    func isLocked(now: Date) -> Bool { record.lockedUntil.map { now < $0 } ?? false }

    func isSuspicious(now: Date) -> Bool {
        [record.failures.last, interferedAt].contains { $0.map { now.timeIntervalSince($0) < 300 } ?? false }
    }
}
