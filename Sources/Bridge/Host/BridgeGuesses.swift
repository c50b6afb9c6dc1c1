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
    mutating func wait(of address: BridgeAddress, now: ContinuousClock.Instant) -> Duration? {
        guard !address.isLoopback else { return nil }
        let own = records[address.key]?.lockedUntil.map { $0 - now } ?? .zero
        let global = known.contains(address.key) ? .zero : all.lockedUntil.map { $0 - now } ?? .zero
        let wait = max(own, global)
        return wait > .zero ? wait : nil
    }

    mutating func fail(_ address: BridgeAddress, now: ContinuousClock.Instant) {
        guard !address.isLoopback else { return }
        if records.count >= Self.countLimit, records[address.key] == nil {
            // Those that guessed nothing lately; if all did, the one whose lock ends first.
            records = records.filter { $0.value.failures.last.map { now - $0 < Self.longestLock } ?? false }
            if records.count >= Self.countLimit,
                let first = records.min(by: { ($0.value.lockedUntil ?? now) < ($1.value.lockedUntil ?? now) })
            {
                records[first.key] = nil
            }
        }
        Self.fail(&records[address.key, default: Record()], limit: Self.addressLimit, now: now)
        Self.fail(&all, limit: Self.globalLimit, now: now)
    }

    mutating func succeed(_ address: BridgeAddress) {
        records[address.key] = nil
        if known.count >= Self.countLimit { known = [] }
        known.insert(address.key)
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

/// The address of a connection, as far as limits go: an IPv4 address, or the /64 that an IPv6 host owns.
struct BridgeAddress: Hashable, Sendable {
    let key: String
    let isLoopback: Bool
    /// Loopback, a private network, link-local, or a VPN's shared space.
    let isPrivate: Bool

    /// - Parameter text: In numbers; nil where there is none, which counts as the internet.
    init(_ text: String?) {
        let scope = text.flatMap { NetworkScope(literal: $0) }
        isLoopback = scope?.isLoopback ?? false
        isPrivate = scope?.isPrivate ?? false
        guard let text, text.contains(":"), let bytes = LocalAddresses.ipv6Bytes(text) else {
            key = text ?? ""
            return
        }
        // ::ffff:a.b.c.d is an IPv4 address in IPv6 clothes.
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        key = isMapped ? bytes[12...].map(String.init).joined(separator: ".") : Hexadecimal.encode(bytes[..<8])
    }
}
