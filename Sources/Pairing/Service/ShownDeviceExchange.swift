package import Foundation
package import Kernel
import Sealing

/// Flow A on the phone: it shows a QR code and waits for a computer that scanned it. Source: `docs/protocol.md` 2.3.
package struct ShownDeviceExchange: Sendable {
    package enum Step: Hashable, Sendable {
        case ignored
        case send(JSONValue, to: String)
        /// A computer proved that it scanned the code: write its record, then call ``accept(now:)``.
        case decide(PairedDesktop)
        case failed(PairingError, reply: JSONValue?, to: String)
    }

    private struct Candidate: Sendable {
        var desktop: PairedDesktop
        var presenter: QRExchange.Presenter?
        var digest: [UInt8]
    }

    package let qr: DevicePairingQR
    private let own: OwnDevice
    private let address: SignalingAddress?
    private let allowsDocumentedPeers: Bool
    private let presenter: QRExchange.Presenter
    private var candidate: Candidate?
    private var answered: (digest: [UInt8], reply: JSONValue, recipient: String)?
    private var wrongTries = 0
    private static let wrongTriesAnswered = 5

    /// Whether a computer was told that it is paired. It may ask again.
    var isAnswered: Bool { answered != nil }

    /// - Parameters:
    ///   - code: The code, which the caller draws at random.
    ///   - address: The server at which this phone waits; the computer is reached there too.
    package init(
        code: PairingCode,
        own: OwnDevice,
        allowsDocumentedPeers: Bool,
        address: SignalingAddress? = nil,
        now: Date
    ) throws {
        self.address = address
        let offer = QROffer(identity: own.identity)
        qr = try DevicePairingQR(
            code: code,
            did: own.identity.did,
            deviceInfo: own.phoneInfo,
            createdAt: now,
            offer: offer
        )
        presenter = try own.presenter(of: qr.json, code: code, offer: offer)
        self.own = own
        self.allowsDocumentedPeers = allowsDocumentedPeers
    }

    package mutating func receive(_ message: PairingMessage, payload: JSONValue, from sender: String?, now: Date)
        -> Step
    {
        guard case .confirmation(let confirmation) = message, confirmation.code == qr.code.digits,
            !confirmation.pcPeerID.isEmpty, PeerText.isIdentifier(confirmation.pcPeerID)
        else { return .ignored }
        let recipient = confirmation.pcPeerID
        let digest = DesktopPairing.digest(of: payload)
        if let answered {
            // The answer may have been lost; the same bytes get the same answer, anything else comes too late.
            return answered.digest == digest ? .send(answered.reply, to: answered.recipient) : .ignored
        }
        guard candidate == nil else { return .ignored }
        guard now <= qr.expiresAt else { return refuse(.shownCodeExpired, .expired, to: recipient) }
        guard let handshake = confirmation.seal?.handshake else {
            return receiveInTheClear(confirmation, digest: digest, from: sender, now: now)
        }
        var presenter = confirmation.seal.flatMap { self.presenter(for: $0) } ?? self.presenter
        guard let peer = try? presenter.read(handshake.bytes), peer.hasStorableDevice,
            peer.device.id == confirmation.pcPeerID
        else {
            // A server that read the six digits on the way can send these. They do not end the code, and are soon not answered.
            wrongTries = min(wrongTries + 1, Self.wrongTriesAnswered + 1)
            guard wrongTries <= Self.wrongTriesAnswered else { return .ignored }
            return reply(.handshakeFailed, to: recipient)
        }
        // This phone sends the last message, which may be lost: the first sealed session shows that it was not.
        let state = PairingState.provisional(until: now.addingTimeInterval(300))
        let desktop = PairedDesktop(confirmation.pcPeerID, provenBy: peer, state: state, now: now)
        return decide(desktop, presenter: presenter, digest: digest)
    }

    private mutating func decide(_ desktop: PairedDesktop, presenter: QRExchange.Presenter?, digest: [UInt8]) -> Step {
        var desktop = desktop
        if let address {
            if address.isLocal { desktop.lanSignalingURL = address.url } else { desktop.relayURL = address.url }
        }
        candidate = Candidate(desktop: desktop, presenter: presenter, digest: digest)
        return .decide(desktop)
    }

    /// The presenter for a computer that read another time in the code; nil where it was read as shown.
    private func presenter(for seal: PairingSeal) -> QRExchange.Presenter? {
        guard let timestamp = seal.codeTimestamp, let offer = qr.offer else { return nil }
        return try? own.presenter(of: qr.json, code: qr.code, offer: offer, readAs: timestamp)
    }

    private mutating func receiveInTheClear(
        _ confirmation: PairingConfirmation,
        digest: [UInt8],
        from sender: String?,
        now: Date
    ) -> Step {
        let info = confirmation.deviceInfo.checked
        // Some programs send an id of another network, under which no server finds them.
        let id = PairingConfirmation.address(claimed: confirmation.pcPeerID, sender: sender)
        guard allowsDocumentedPeers else {
            return refuse(.notEndToEnd(name: info.name), .endToEndRequired, to: id)
        }
        return decide(PairedDesktop(id, claiming: info, now: now), presenter: nil, digest: digest)
    }

    /// The last message of the pairing, to send when the record is on disk. Nil for a computer that expects none.
    package mutating func accept(now: Date) throws -> (reply: JSONValue, recipient: String)? {
        guard var candidate else { throw PairingError.unknownRequest }
        guard candidate.presenter != nil,
            let handshake = try candidate.presenter?.accept(nowMilliseconds: now.millisecondsSince1970)
        else { return nil }
        let reply = try own.ack(to: qr.code, seal: PairingSeal(handshake: handshake), now: now)
        self.candidate = candidate
        answered = (candidate.digest, reply, candidate.desktop.pcPeerID)
        return (reply, candidate.desktop.pcPeerID)
    }

    /// Refuses the computer, whose record is not written.
    mutating func refuse(_ error: PairingError, _ reason: PairingReject.Reason, to recipient: String) -> Step {
        // The refusal is a courtesy: without it the other side waits a minute and says that no answer came.
        .failed(error, reply: DesktopPairing.rejection(reason, code: qr.code.digits), to: recipient)
    }

    private func reply(_ reason: PairingReject.Reason, to recipient: String) -> Step {
        DesktopPairing.rejection(reason, code: qr.code.digits).map { .send($0, to: recipient) } ?? .ignored
    }
}
