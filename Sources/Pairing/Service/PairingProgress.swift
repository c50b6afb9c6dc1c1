public import Foundation

/// How far a pairing that the phone started has come.
public enum PairingProgress: Hashable, Sendable {
    /// The message is on its way; the other side has until then.
    case waiting(until: Date)
    /// The same number has to be on the computer's screen.
    case compare(number: String)
}
