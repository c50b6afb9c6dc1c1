public import Foundation

/// A refusal of a program that asked to be paired, made before a person was asked.
public struct PairingRefusal: Hashable, Sendable {
    /// The reason why no person was asked.
    public enum Reason: String, Hashable, Sendable {
        /// The program speaks only the documented wire, and the code was not shown for such programs.
        case cannotSeal
        /// The device is paired with sealing, so a sender in the clear under its name may be another.
        case sealedBefore
        /// The server names another sender than the message does.
        case otherSender
    }

    /// The program's name: a claim, cleaned for showing.
    public let name: String
    /// Its operating system, as it says.
    public let platform: PairingPlatform
    /// The id under which the message was sent, or the one that it claims.
    public let sender: String
    /// The reason why no person was asked.
    public let reason: Reason
    /// When it was refused last.
    public let at: Date

    /// A sentence for the person at the computer: what happened, then what to do.
    public var sentence: String {
        switch reason {
        case .cannotSeal:
            """
            \(name) was refused: it cannot seal what it sends, so whoever carries its messages could read and change them. \
            To pair it all the same, show a code with: tandem pair show --allow-unsealed
            """
        case .sealedBefore:
            """
            \(name) was refused: it is paired with sealing and now asked without. Update the program on it, or forget it \
            here and pair it again.
            """
        case .otherSender:
            """
            \(name) was refused: the server says that somebody else sent its message (\(sender)). Someone may be \
            interfering; try again on a network you trust.
            """
        }
    }
}

/// The newest refusals, for a quarter of an hour; one for each sender and reason.
struct PairingRefusals: Sendable {
    static let capacity = 8
    static let lifetime: TimeInterval = 900

    private(set) var list: [PairingRefusal] = []

    mutating func note(_ refusal: PairingRefusal) {
        list.removeAll { $0.sender == refusal.sender && $0.reason == refusal.reason }
        list = list.suffix(Self.capacity - 1) + [refusal]
    }

    func current(now: Date) -> [PairingRefusal] { list.filter { now.timeIntervalSince($0.at) < Self.lifetime } }
}
