public import Foundation

/// A paired device's record: what both kinds have in common for their stores.
public protocol PairingRecord: Identifiable, Hashable, Sendable where ID: Sendable {
    /// When the other device was last heard.
    var lastSeenAt: Date { get }
    /// Whether both sides are known to hold the pairing.
    var state: PairingState { get }
    /// This record, written over the one that was kept under the same id.
    func replacing(_ earlier: Self?) -> Self
}

extension PairedDesktop: PairingRecord {}
extension PairedPhone: PairingRecord {}

extension PairingRecord {
    /// Whether the other side had its five minutes to learn of the pairing and did not show that it has.
    public func isOver(at now: Date) -> Bool {
        if case .provisional(let until) = state { until <= now } else { false }
    }
}

extension Sequence where Element: PairingRecord {
    /// Last seen first; the same order for the same records.
    func sortedForPeople() -> [Element] {
        sorted { ($0.lastSeenAt, "\($0.id)") > ($1.lastSeenAt, "\($1.id)") }
    }
}
