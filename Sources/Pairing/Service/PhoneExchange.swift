package import Foundation
package import Kernel
import Sealing

/// The phone's side of one pairing: a value without I/O, fed with what arrives, saying what to do next.
package protocol PhoneExchange: Sendable {
    /// Who `outgoing` goes to.
    var recipient: String { get }
    /// The last message sent; sent again byte for byte when it may have been lost.
    var outgoing: JSONValue? { get }
    /// What to compare with the computer's screen, once it is known.
    var comparisonNumber: String? { get }
    /// What is left to go by when the other side never answers, because it speaks only the documented wire.
    var desktopWithoutAnswer: PairedDesktop? { get }
    /// The error when the computer was at no address that was tried.
    var offlineError: PairingError { get }
    /// Whether `outgoing` may be sent again where the server keeps it for the next device with the address.
    var mayRepeat: Bool { get }
    /// What it means when the recipient was there and is not any more; nil when it may come back.
    var goneError: PairingError? { get }
    /// The message about which a computer may ask its person now, and who it went to; nil while there is none.
    var question: (payload: JSONValue, recipient: String)? { get }
    /// The code that the computer showed.
    var shownCode: PairingCode { get }
    mutating func receive(_ message: PairingMessage, from sender: String?, now: Date) -> PhoneStep
    /// The recipient has left its address.
    ///
    /// - Returns: Whether `recipient` is another address now.
    mutating func recipientLeft() -> Bool
}

extension PhoneExchange {
    package var comparisonNumber: String? { nil }
    package var desktopWithoutAnswer: PairedDesktop? { nil }
    package var mayRepeat: Bool { true }
    package var goneError: PairingError? { nil }
    package mutating func recipientLeft() -> Bool { false }
}

/// What one message led to on the phone.
package enum PhoneStep: Hashable, Sendable {
    /// Not for this pairing, a repeat, or a forgery: nothing has changed.
    case ignored
    /// `outgoing` has changed: send it.
    case send
    /// The computer agreed, and is who it has to be.
    case paired(PairedDesktop)
    case failed(PairingError)
}

extension PairingReject.Reason {
    /// What a refusal means to the person.
    ///
    /// - Parameter name: The other device's, as far as it is known.
    func error(from name: String) -> PairingError {
        switch self {
        case .declined: .declined(name: name)
        case .expired: .shownCodeExpired
        case .wrongCode: .wrongCode
        case .locked: .locked
        case .endToEndRequired: .endToEndRequired
        case .handshakeFailed: .handshakeFailed
        case .keyChanged: .keyChanged(name: name)
        case .busy: .busy
        case .tenDigits: .tenDigitsNeeded
        case .other(let reason): .refused(reason: PeerText.name(reason))
        }
    }
}

extension ProvenPeer {
    /// Whether what the peer calls itself may be stored and shown; names are cleaned, identifiers are not.
    var hasStorableDevice: Bool {
        !device.id.isEmpty && PeerText.isIdentifier(device.id) && PeerText.isIdentifier(device.platform)
            && PeerText.isIdentifier(did.text)
    }
}
