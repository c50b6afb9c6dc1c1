public import Foundation

/// Whether both sides are known to hold the pairing.
public enum PairingState: Hashable, Sendable {
    /// The other side may not have learned of the pairing. The record is removed at this date, unless a sealed session proves it first.
    case provisional(until: Date)
    case confirmed
    /// A peer that speaks only the documented wire was told, and never says whether it agreed.
    case unconfirmed
}
