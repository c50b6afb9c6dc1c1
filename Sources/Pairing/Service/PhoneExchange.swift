package import Foundation
package import Kernel
import Sealing

/// The phone's side of one pairing: a value without I/O that is given the messages and returns the next step.
package protocol PhoneExchange: Sendable {
    /// The id that `outgoing` is sent to.
    var recipient: String { get }
    /// The last message sent, which is repeated byte for byte when it may have been lost.
    var outgoing: JSONValue? { get }
    /// The number to compare with the computer's screen, once it is known.
    var comparisonNumber: String? { get }
    /// The record to keep when the computer never answers, because it speaks only the documented wire.
    var desktopWithoutAnswer: PairedDesktop? { get }
    /// The error to throw when the computer was at none of the addresses.
    var offlineError: PairingError { get }
    /// Whether `outgoing` may be sent again where the server keeps it for the next device with the address.
    var mayRepeat: Bool { get }
    /// The error to throw when the recipient was there and has left; nil when it may come back.
    var goneError: PairingError? { get }
    /// The message about which a computer may be asking its person now, and its recipient; nil while there is none.
    var question: (payload: JSONValue, recipient: String)? { get }
    /// The code that the computer showed.
    var shownCode: PairingCode { get }
    mutating func receive(_ message: PairingMessage, from sender: String?, now: Date) -> PhoneStep
    /// Notes that the recipient has left its address.
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

/// The outcome of one message on the phone.
package enum PhoneStep: Hashable, Sendable {
    /// The message is not for this pairing, a repeat, or a forgery: nothing has changed.
    case ignored
    /// `outgoing` has changed and is to be sent.
    case send
    /// The computer agreed, and is the expected one.
    case paired(PairedDesktop)
    case failed(PairingError)
}

extension PairingReject.Reason {
    /// The error that tells the person about a refusal.
    ///
    /// - Parameter name: The other device's name, as far as it is known.
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

extension PairedDesktop {
    /// The record of a computer that proved its identity.
    init(_ pcPeerID: String, provenBy peer: ProvenPeer, state: PairingState, now: Date) {
        self.init(pcPeerID, claiming: peer.deviceInfo, now: now)
        (did, agreementKey, self.state) = (peer.did, peer.agreementKey, state)
    }

    /// The record of a computer that speaks only the documented wire.
    init(_ pcPeerID: String, claiming info: PairingDeviceInfo, now: Date) {
        self.init(
            pcPeerID: pcPeerID,
            deviceName: info.name,
            platform: info.platform,
            pairedAt: now,
            lastSeenAt: now,
            state: .unconfirmed,
            toldName: info.name
        )
    }
}

extension ProvenPeer {
    /// The peer's description of itself, with its name cleaned for showing.
    var deviceInfo: PairingDeviceInfo {
        let platform = PairingPlatform(rawValue: device.platform)
        return PairingDeviceInfo(deviceID: device.id, name: PeerText.name(device.name), platform: platform)
    }

    /// Whether the peer's identifiers may be stored and shown. Names are cleaned, identifiers are not.
    var hasStorableDevice: Bool {
        !device.id.isEmpty && PeerText.isIdentifier(device.id) && PeerText.isIdentifier(device.platform)
            && PeerText.isIdentifier(did.text)
    }
}
