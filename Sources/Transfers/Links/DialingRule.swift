/// When a direct connection to a device is tried. A value without clock: a failed address is left alone for a while, so that a firewall costs
/// one second once and not at each transfer. Source: `docs/protocol.md` 2.12.4.
package struct DialingRule: Sendable {
    /// How long an address that failed is not tried.
    package static let rest = Duration.seconds(5 * 60)
    /// Addresses that are remembered; beyond them the one that failed first is forgotten.
    static let limit = 16

    private var failures: [String: ContinuousClock.Instant] = [:]

    package init() {}

    /// Whether this address may be dialed.
    package func allows(_ address: String, now: ContinuousClock.Instant) -> Bool {
        failures[address].map { now - $0 >= Self.rest } ?? true
    }

    /// Dialing this address came to nothing.
    package mutating func failed(_ address: String, now: ContinuousClock.Instant) {
        failures[address] = now
        guard failures.count > Self.limit, let first = failures.min(by: { $0.value < $1.value }) else { return }
        failures[first.key] = nil
    }

    /// The device was reached anew: what failed before says nothing.
    package mutating func networkChanged() { failures = [:] }
}
