public import Foundation

/// What a computer shows about pairing: one value, whole.
public struct PairingHostStatus: Hashable, Sendable {
    /// What became of the code that was asked for.
    public enum Code: Hashable, Sendable {
        /// None was asked for.
        case none
        case shown(ShownPairingCode)
        /// A phone has used it; see the requests.
        case used
        case expired
    }

    /// The code, and whether it still can be used.
    public var code: Code
    /// Oldest first.
    public var requests: [PairingRequest]
    /// Whether a yes is being written down, which is no request any more and no pairing yet.
    public var isSettling: Bool
    /// The last phone that was paired since the program started.
    public var lastPaired: PairedPhone?
    /// A device tried wrong codes within the last five minutes: say that a stranger may be interfering.
    public var isSuspicious: Bool
    /// Until when no digits are shown after wrong tries; nil when they are.
    public var typedCodesLockedUntil: Date?
    /// Why the digits on the screen are found at no server now; nil while they are, or before that is known.
    public var typedTrouble: TypedCodeTrouble?
    /// Requests that their phones took back lately, oldest first.
    public var withdrawn: [PairingRequest] = []
    /// Who was refused lately without a question to the person, oldest first.
    public var refusals: [PairingRefusal]
}
