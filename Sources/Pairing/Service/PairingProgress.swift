public import Foundation

/// How far a pairing that the phone started has come.
public enum PairingProgress: Hashable, Sendable {
    /// The words of this device's key: the computer shows the same beside the request.
    case identified(key: String)
    /// The message is on its way; the other side has until then.
    case waiting(until: Date)
    /// The person at the computer types this number.
    case compare(number: String)
}
