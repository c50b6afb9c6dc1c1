public import Foundation

/// What a computer shows about pairing: one value, whole.
public struct PairingHostStatus: Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        /// None was asked for.
        case none
        case shown(ShownPairingCode)
        /// A phone has used it; see the requests.
        case used
        case expired
        /// Wrong codes were tried; make a new one.
        case burned
    }

    public var code: Code
    /// Oldest first.
    public var requests: [PairingRequest]
    /// The last phone that was paired since the program started.
    public var lastPaired: PairedPhone?
    /// Somebody tried wrong codes within the last five minutes: say that someone may be interfering.
    public var isSuspicious: Bool
    public var typedCodesLockedUntil: Date?
}
