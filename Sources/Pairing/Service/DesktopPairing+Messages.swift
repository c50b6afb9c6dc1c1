package import Foundation
package import Kernel
import Sealing

extension DesktopPairing {
    /// A message's arrival: what it is answered by.
    struct Arrival {
        /// The SHA-256 of the message: the same bytes get the same answer.
        let digest: [UInt8]
        /// The sender's id, as the server stamped it.
        let sender: String?
        /// The phones that are paired now.
        let known: [PairedPhone]
        let now: Date
    }

    /// - Parameters:
    ///   - payload: The JSON that `message` was read from.
    ///   - sender: The sender's id, as the server stamped it.
    ///   - known: The phones that are paired now.
    ///   - ticks: Monotonic time, for the limit on refusals.
    package mutating func receive(
        _ message: PairingMessage,
        payload: JSONValue,
        from sender: String?,
        known: [PairedPhone],
        now: Date,
        ticks: UInt64
    ) -> [Effect] {
        self.ticks = ticks
        let effects = tick(now: now)
        let arrival = Arrival(digest: Self.digest(of: payload), sender: sender, known: known, now: now)
        switch message {
        case .ack(let ack):
            return effects + receive(ack, arrival)
        case .exchange(let step):
            return effects + receive(step, arrival)
        case .reject(let reject):
            return effects + scanRejected(reject)
        case .withdrawal(let withdrawal):
            return effects + receive(withdrawal, now: now)
        case .confirmation, .iceConfiguration:
            // These messages are for phones; a computer ignores them.
            return effects
        }
    }

    /// The answer that was given to the same bytes before; nil when there was none.
    func repeated(_ digest: [UInt8]) -> [Effect]? {
        switch answers[digest] {
        case .message(let payload, let recipient)?: [.send(payload, to: recipient)]
        case .undecided?: []
        case nil: nil
        }
    }

    private mutating func receive(_ ack: PairingAck, _ arrival: Arrival) -> [Effect] {
        let (sender, now) = (arrival.sender, arrival.now)
        if let repeated = repeated(arrival.digest) { return repeated }
        if let code = try? PairingCode(ack.code), scans[code] != nil { return scanAnswered(ack, code: code, arrival) }
        guard let window else {
            return refuse(reasonWithoutWindow(code: ack.code), code: ack.code, to: sender, now: now)
        }
        guard window.isShown(ack.code) else {
            if hasEnded(ack.code) {
                return refuse(reasonWithoutWindow(code: ack.code), code: ack.code, to: sender, now: now)
            }
            let reason = window.wrongTries.isOver(sender) ? PairingReject.Reason.locked : .wrongCode
            return countWrongTry(of: sender, now: now) + refuse(reason, code: ack.code, to: sender, now: now)
        }
        guard PeerText.isIdentifier(ack.mobileDID), let did = try? DID(ack.mobileDID) else {
            return refuseForged(code: ack.code, to: sender, arrival)
        }
        if let seal = ack.seal, let handshake = seal.handshake, window.qr.code.digits == ack.code {
            return scanned(handshake.bytes, readAs: seal.codeTimestamp, by: did, window, arrival)
        }
        // From here on the sender has proved nothing but the digits, and it may have tried others before.
        guard !window.wrongTries.isOver(sender) else {
            return refuse(.locked, code: ack.code, to: sender, now: now)
        }
        if let step = ack.seal?.code { return typed(step, code: ack.code, by: did, window, arrival) }
        return documented(ack, by: did, window, arrival)
    }

    private func reasonWithoutWindow(code: String) -> PairingReject.Reason {
        if pending.contains(where: { $0.code.digits == code }) { return .busy }
        return hasEnded(code) ? .expired : .wrongCode
    }

    mutating func refuseForged(code: String, to recipient: String?, _ arrival: Arrival) -> [Effect] {
        let now = arrival.now
        let refusal = refuse(.handshakeFailed, code: code, to: recipient, keptFor: arrival.digest, now: now)
        return countWrongTry(of: recipient, now: now) + refusal
    }

    /// Reads the ack of a phone that scanned the QR code.
    private mutating func scanned(
        _ handshake: [UInt8],
        readAs timestamp: Int64?,
        by did: DID,
        _ window: Window,
        _ arrival: Arrival
    ) -> [Effect] {
        var presenter = window.presenter
        if timestamp != nil, let offer = window.qr.offer,
            let other = try? own.presenter(of: window.qr.json, code: window.qr.code, offer: offer, readAs: timestamp)
        {
            presenter = other
        }
        guard let peer = try? presenter.read(handshake), peer.did == did, peer.hasStorableDevice else {
            return refuseForged(code: window.qr.code.digits, to: arrival.sender, arrival)
        }
        return ask(about: peer, way: .scanned(presenter), code: window.qr.code, arrival)
    }

    /// Reads the ack of a phone that speaks only the documented wire, or of a stranger who wants to look like one.
    private mutating func documented(_ ack: PairingAck, by did: DID, _ window: Window, _ arrival: Arrival) -> [Effect] {
        let (sender, now) = (arrival.sender, arrival.now)
        let info = ack.deviceInfo
        let deviceID = info.deviceID ?? ""
        let isKnownToSeal = arrival.known.contains { phone in
            phone.isEndToEnd && (phone.did == did || (!deviceID.isEmpty && phone.deviceID == deviceID))
        }
        // Nothing is signed, so the server has to name the same sender as the message. A phone that could seal before
        // still can, so a sender in the clear under its name is refused.
        let reason: PairingRefusal.Reason? =
            if sender != did.text { .otherSender } else if isKnownToSeal {
                .sealedBefore
            } else if !window
                .allowsDocumentedPeers
            { .cannotSeal } else { nil }
        if let reason {
            let shown = info.checked
            refused.note(
                PairingRefusal(
                    name: shown.name,
                    platform: shown.platform,
                    sender: PeerText.name(sender ?? did.text),
                    reason: reason,
                    at: now
                )
            )
            let answer: PairingReject.Reason = reason == .otherSender ? .handshakeFailed : .endToEndRequired
            return [.changed] + refuse(answer, code: ack.code, to: sender, now: now)
        }
        guard PeerText.isIdentifier(deviceID) else {
            return refuseForged(code: ack.code, to: sender, arrival)
        }
        let request = PairingRequest(
            id: Self.newRequestID(),
            name: PeerText.name(info.name),
            deviceID: deviceID,
            platform: info.shownPlatform,
            did: did,
            isEndToEnd: false,
            comparisonNumber: nil,
            identityChange: nil,
            arrivedAt: now,
            expiresAt: now.addingTimeInterval(Self.lifetime)
        )
        let code = ack.code == window.qr.code.digits ? window.qr.code : window.typed?.code ?? window.qr.code
        return add(Pending(request: request, code: code, way: .documented, digest: arrival.digest), now: now)
    }

    /// Adds the request of a device that proved its identity and that it has the code. Nothing is granted: a person decides.
    mutating func ask(
        about peer: ProvenPeer,
        way: Pending.Way,
        code: PairingCode,
        comparisonNumber: String? = nil,
        _ arrival: Arrival
    ) -> [Effect] {
        let request = PairingRequest(
            id: Self.newRequestID(),
            name: PeerText.name(peer.device.name),
            deviceID: peer.device.id,
            platform: PairingPlatform(rawValue: peer.device.platform),
            did: peer.did,
            isEndToEnd: true,
            comparisonNumber: comparisonNumber,
            identityChange: Self.identityChange(of: peer, among: arrival.known),
            arrivedAt: arrival.now,
            expiresAt: arrival.now.addingTimeInterval(Self.lifetime)
        )
        let key = peer.agreementKey
        let pending = Pending(request: request, code: code, way: way, digest: arrival.digest, agreementKey: key)
        return add(pending, now: arrival.now)
    }

    static func identityChange(of peer: ProvenPeer, among known: [PairedPhone]) -> PairingRequest.IdentityChange? {
        let changed = known.first { phone in
            let isSameDevice = phone.did == peer.did || phone.deviceID == peer.device.id
            let isSameKey =
                phone.did == peer.did && (phone.agreementKey == nil || phone.agreementKey == peer.agreementKey)
            return isSameDevice && !isSameKey
        }
        return changed.map { .init(knownName: $0.name, knownFingerprint: $0.did.fingerprint) }
    }

    /// Adds a request; the code is used from then on, whether the person says yes or no. An earlier request of the same key ends, so
    /// that a person is asked once about each device.
    private mutating func add(_ new: Pending, now: Date) -> [Effect] {
        var effects: [Effect] = []
        for earlier in pending where replaces(new.request, earlier) {
            effects += end(earlier, answering: .expired, now: now)
        }
        guard pending.count < Self.requestsAllowed else {
            return effects + refuse(.busy, code: new.code.digits, to: new.request.did.text, now: now)
        }
        pending.append(new)
        answers.keep(.undecided, for: new.digest, did: new.request.did, now: now)
        endWindow(.used, now: now)
        return effects + [.changed, .requested(new.request)]
    }

    /// Whether a request replaces an earlier one. A request in the clear, whose key is only claimed, does not replace a proven one.
    private func replaces(_ new: PairingRequest, _ earlier: Pending) -> Bool {
        earlier.request.did == new.did && earlier.reply == nil && (new.isEndToEnd || !earlier.request.isEndToEnd)
    }

    private static func newRequestID() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(UInt32.random(in: .min ... .max, using: &generator), radix: 36)
    }
}
