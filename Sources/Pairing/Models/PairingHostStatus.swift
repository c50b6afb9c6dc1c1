public import Foundation

/// The complete state of pairing that a computer shows.
public struct PairingHostStatus: Hashable, Sendable {
    /// The state of the code that was asked for.
    public enum Code: Hashable, Sendable {
        /// No code was asked for.
        case none
        case shown(ShownPairingCode)
        /// A phone has used the code; see the requests.
        case used
        case expired
    }

    /// The code, and whether it can still be used.
    public var code: Code
    /// Requests that wait for the person, oldest first.
    public var requests: [PairingRequest]
    /// Whether an accepted request is being written to disk: it is no request any more and no pairing yet.
    public var isSettling: Bool
    /// The last phone that was paired since the program started.
    public var lastPaired: PairedPhone?
    /// Whether a device tried wrong codes within the last five minutes, so that a stranger may be interfering.
    public var isSuspicious: Bool
    /// The end of the lock after wrong tries, during which no digits are shown; nil when there is none.
    public var typedCodesLockedUntil: Date?
    /// Why the digits on the screen are found at no server now; nil while they are, or before that is known.
    public var typedTrouble: TypedCodeTrouble?
    /// Requests that their phones took back recently, oldest first.
    public var withdrawn: [PairingRequest] = []
    /// Recent refusals that were made without asking the person, oldest first.
    public var refusals: [PairingRefusal]
}
