public import Foundation

/// The record of a paired device, as its store needs it: a computer's or a phone's.
public protocol PairingRecord: Identifiable, Hashable, Sendable where ID: Sendable {
    /// When a message of the other device last arrived.
    var lastSeenAt: Date { get }
    /// Whether both sides are known to hold the pairing.
    var state: PairingState { get }
    /// This record merged over `earlier`, the stored one with the same id.
    func replacing(_ earlier: Self?) -> Self
}

extension PairedDesktop: PairingRecord {}
extension PairedPhone: PairingRecord {}

extension PairingRecord {
    /// Whether a provisional pairing is over: the other side had five minutes to show that it holds the pairing, and did not.
    public func isOver(at now: Date) -> Bool {
        if case .provisional(let until) = state { until <= now } else { false }
    }
}

extension Sequence where Element: PairingRecord {
    /// The records, last seen first, in a stable order.
    func sortedForPeople() -> [Element] {
        sorted { ($0.lastSeenAt, "\($0.id)") > ($1.lastSeenAt, "\($1.id)") }
    }
}
