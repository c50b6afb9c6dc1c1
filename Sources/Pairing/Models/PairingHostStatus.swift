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
    }

    public var code: Code
    /// Oldest first.
    public var requests: [PairingRequest]
    /// Whether a yes is being written down, which is no request any more and no pairing yet.
    public var isSettling: Bool
    /// The last phone that was paired since the program started.
    public var lastPaired: PairedPhone?
    /// Somebody tried wrong codes within the last five minutes: say that someone may be interfering.
    public var isSuspicious: Bool
    public var typedCodesLockedUntil: Date?
    /// Who was refused lately without a question to the person, oldest first.
    public var refusals: [PairingRefusal]
}
