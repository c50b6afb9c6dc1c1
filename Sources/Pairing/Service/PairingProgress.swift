public import Foundation

/// The progress of a pairing that the phone started.
public enum PairingProgress: Hashable, Sendable {
    /// The words of this device's key, which the computer shows beside the request.
    case identified(key: String)
    /// The message was sent; the other side may answer until this date.
    case waiting(until: Date)
    /// A number that the person at the computer has to type.
    case compare(number: String)
    /// The computer's yes is there: the person is asked whether its screen asked for this number.
    case confirm(number: String)
}
