import Kernel
import Transport

/// Slows down clients that show wrong tokens: five in a minute from one address close the door to it for ten seconds, each more for twice as
/// long. All addresses together have sixty. This machine itself is never kept out, so that guesses of others do not lock its owner out.
struct BridgeGuesses {
    static let window = Duration.seconds(60)
    static let addressLimit = 5
    static let globalLimit = 60
    static let firstLock = Duration.seconds(10)
    static let longestLock = Duration.seconds(900)
    /// Addresses that are remembered.
    static let countLimit = 4096

    private struct Record {
        var failures: [ContinuousClock.Instant] = []
        var lockedUntil: ContinuousClock.Instant?
        var locks = 0
    }

    private var records: [String: Record] = [:]
    private var all = Record()
    /// Addresses that have shown a token that holds: strangers' guesses do not keep them out.
    private var known: Set<String> = []

    var addressCount: Int { records.count }

    /// How long an address has to wait; nil where it may try.
    mutating func wait(of address: NetworkAddress?, now: ContinuousClock.Instant) -> Duration? {
        guard !address.isLoopback else { return nil }
        let own = records[address.limitKey]?.lockedUntil.map { $0 - now } ?? .zero
        let global = known.contains(address.limitKey) ? .zero : all.lockedUntil.map { $0 - now } ?? .zero
        let wait = max(own, global)
        return wait > .zero ? wait : nil
    }

    mutating func fail(_ address: NetworkAddress?, now: ContinuousClock.Instant) {
        guard !address.isLoopback else { return }
        if records.count >= Self.countLimit, records[address.limitKey] == nil {
            // Those that guessed nothing lately; if all did, the one whose lock ends first.
            records = records.filter { $0.value.failures.last.map { now - $0 < Self.longestLock } ?? false }
            if records.count >= Self.countLimit,
                let first = records.min(by: { ($0.value.lockedUntil ?? now) < ($1.value.lockedUntil ?? now) })
            {
                records[first.key] = nil
            }
        }
        Self.fail(&records[address.limitKey, default: Record()], limit: Self.addressLimit, now: now)
        Self.fail(&all, limit: Self.globalLimit, now: now)
    }

    mutating func succeed(_ address: NetworkAddress?) {
        records[address.limitKey] = nil
        if known.count >= Self.countLimit { known = [] }
        known.insert(address.limitKey)
    }

    private static func fail(_ record: inout Record, limit: Int, now: ContinuousClock.Instant) {
        // After a quiet quarter of an hour the next one is a mistake again and no attack.
        if let last = record.failures.last, now - last > longestLock { record.locks = 0 }
        record.failures = record.failures.filter { now - $0 < window || $0 == record.failures.last }
        record.failures.append(now)
        let recent = record.failures.count(where: { now - $0 < window })
        guard recent >= limit || record.locks > 0 else { return }
        let lock = min(firstLock * (1 << min(record.locks, 10)), longestLock)
        record.lockedUntil = now + lock
        record.locks += 1
        // One more is enough for the next lock.
        record.failures.removeFirst(max(0, record.failures.count - limit))
    }
}
