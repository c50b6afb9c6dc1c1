package import Foundation
package import Kernel
import Rights
import Sealing

/// Flow A on the computer: a phone's QR code was scanned, and the phone's answer is awaited.
struct PhoneScan: Sendable {
    let qr: DevicePairingQR
    let options: PairingOptions
    var scanner: QRExchange.Scanner?
}

extension DesktopPairing {
    /// Begins flow A and returns the message for the phone whose code was scanned.
    ///
    /// - Throws: ``PairingError/notEndToEnd(name:)`` for a phone that cannot seal and was not allowed,
    ///   ``PairingError/keyChanged(name:)`` for a device that is known with another key and was not accepted anew.
    package mutating func openScan(
        of qr: DevicePairingQR,
        options: PairingOptions,
        known: [PairedPhone],
        now: Date
    ) throws -> JSONValue {
        let sameDevice = known.filter { $0.did == qr.did || ($0.deviceID == qr.deviceInfo.deviceID && $0.isEndToEnd) }
        if !options.acceptsNewIdentity {
            for phone in sameDevice where phone.did != qr.did || !isSameKey(phone, offer: qr.offer) {
                throw PairingError.keyChanged(name: phone.name)
            }
        }
        guard scans.count < 4 || scans[qr.code] != nil else { throw PairingError.busy }
        var seal: PairingSeal?
        var scan = PhoneScan(qr: qr, options: options)
        if let offer = qr.offer {
            (scan.scanner, seal) = try own.opening(
                offer,
                of: qr.json,
                code: qr.code,
                isAgeDoubted: qr.ageDoubt != nil,
                now: now
            )
        } else if !options.allowsDocumentedPeers {
            throw PairingError.notEndToEnd(name: qr.deviceInfo.name)
        }
        let payload = try own.confirmation(of: qr.code, seal: seal, now: now)
        if scan.scanner != nil { scans[qr.code] = scan }
        return payload
    }

    /// Whether a known phone still has its key. A phone that could seal and now shows a code without an offer counts as changed.
    private func isSameKey(_ phone: PairedPhone, offer: QROffer?) -> Bool {
        phone.agreementKey == nil || phone.agreementKey == offer?.agreementKey
    }

    mutating func closeScan(_ code: PairingCode) { scans[code] = nil }

    mutating func scanAnswered(_ ack: PairingAck, code: PairingCode, _ arrival: Arrival) -> [Effect] {
        let now = arrival.now
        // An answer that cannot be verified may be a stranger's: the real one may still come.
        guard let scan = scans[code], var scanner = scan.scanner, let handshake = ack.seal?.handshake,
            let peer = try? scanner.finish(reading: handshake.bytes), peer.did == scan.qr.did, peer.hasStorableDevice
        else { return [] }
        scans[code] = nil
        if !scan.options.acceptsNewIdentity, let change = Self.identityChange(of: peer, among: arrival.known) {
            let refusal = refuse(.keyChanged, code: code.digits, to: peer.did.text, now: now)
            return refusal + [.scanEnded(code, .failure(.keyChanged(name: change.knownName)))]
        }
        let rights = scan.options.allowing
        let paired = phone(peer.did, peer.deviceInfo, key: peer.agreementKey, allowing: rights, now: now)
        return [.scanEnded(code, .success(paired))]
    }

    /// The record of a phone that speaks only the documented wire and never answers; nil for one that seals.
    func unconfirmedPhone(_ qr: DevicePairingQR, allowing rights: Set<Right>, now: Date) -> PairedPhone? {
        guard qr.offer == nil else { return nil }
        return phone(qr.did, qr.deviceInfo, key: nil, allowing: rights, now: now)
    }

    /// The record of a phone from its pairing on.
    func phone(
        _ did: DID,
        _ info: PairingDeviceInfo,
        key: AgreementPublicKey?,
        allowing rights: Set<Right>,
        now: Date
    ) -> PairedPhone {
        PairedPhone(
            did: did,
            deviceID: info.deviceID ?? "",
            name: info.name,
            platform: info.platform,
            agreementKey: key,
            pairedAt: now,
            lastSeenAt: now,
            allowedSkills: initialRights.union(rights),
            // The phone's record is provisional too, or it may not hear of the pairing: its first session confirms both.
            state: key == nil ? .unconfirmed : .provisional(until: now.addingTimeInterval(Self.lifetime)),
            toldName: info.name
        )
    }

    mutating func scanRejected(_ reject: PairingReject) -> [Effect] {
        guard let code = try? PairingCode(reject.code), let scan = scans.removeValue(forKey: code) else { return [] }
        return [.scanEnded(code, .failure(reject.reason.error(from: scan.qr.deviceInfo.name)))]
    }
}
