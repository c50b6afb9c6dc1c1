package import Foundation
package import Kernel
import Sealing

/// Flow B on the phone: the computer's QR code was scanned. Source: `docs/protocol.md` 2.3.
package struct ScannedDesktopExchange: PhoneExchange {
    package let qr: DesktopPairingQR
    package let outgoing: JSONValue?
    private var scanner: QRExchange.Scanner?
    private let startedAt: Date

    package init(qr: DesktopPairingQR, own: OwnDevice, now: Date) throws {
        self.qr = qr
        startedAt = now
        var seal: PairingSeal?
        if let offer = qr.offer {
            (scanner, seal) = try own.opening(
                offer,
                of: qr.json,
                code: qr.code,
                isAgeDoubted: qr.ageDoubt != nil,
                now: now
            )
        }
        outgoing = try own.ack(to: qr.code, seal: seal, now: now)
    }

    package var recipient: String { qr.pcPeerID }

    package var shownCode: PairingCode { qr.code }
    /// Nil for a computer that cannot seal: it never answers, so there is nothing to withdraw.
    package var question: (payload: JSONValue, recipient: String)? {
        guard scanner != nil, let outgoing else { return nil }
        return (outgoing, recipient)
    }

    package var offlineError: PairingError { .deviceOffline(name: qr.deviceInfo.name) }
    package var desktopWithoutAnswer: PairedDesktop? { scanner == nil ? desktop(provenBy: nil, now: startedAt) : nil }

    package mutating func receive(_ message: PairingMessage, from sender: String?, now: Date) -> PhoneStep {
        switch message {
        case .confirmation(let confirmation) where confirmation.code == qr.code.digits && scanner == nil:
            // A computer that cannot seal may answer nevertheless.
            return sender == qr.pcPeerID ? .paired(desktop(provenBy: nil, now: now)) : .ignored
        case .confirmation(let confirmation) where confirmation.code == qr.code.digits:
            guard var scanner, let handshake = confirmation.seal?.handshake else { return .ignored }
            // A confirmation that cannot be verified may be a stranger's: the real one may still come.
            guard let peer = try? scanner.finish(reading: handshake.bytes), peer.hasStorableDevice else {
                return .ignored
            }
            self.scanner = scanner
            return .paired(desktop(provenBy: peer, now: now))
        case .reject(let reject) where reject.code == qr.code.digits:
            return .failed(reject.reason.error(from: qr.deviceInfo.name))
        default:
            return .ignored
        }
    }

    private func desktop(provenBy peer: ProvenPeer?, now: Date) -> PairedDesktop {
        // The confirmation was the computer's last message: it holds the pairing, and removes it unless this phone comes soon.
        var desktop =
            peer.map { PairedDesktop(qr.pcPeerID, provenBy: $0, state: .confirmed, now: now) }
            ?? PairedDesktop(qr.pcPeerID, claiming: qr.deviceInfo, now: now)
        // An address that is not safe to use is not kept.
        desktop.lanSignalingURL = qr.signalingURL.flatMap { try? SignalingAddress($0).url }
        desktop.relayURL = qr.relayURL.flatMap { try? SignalingAddress($0).url }
        desktop.iceServersJSON = qr.iceServers.map { JSONValue.array($0).canonicalText }
        desktop.iceExpirySeconds = qr.iceExpirySeconds
        return desktop
    }
}
