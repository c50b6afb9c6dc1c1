package import Foundation
import Kernel
package import Rights
package import Sealing

extension DesktopPairing {
    /// Accepts a request and returns the record, which has to be on disk before the phone is told. Call ``completed(_:as:now:)``
    /// or ``failed(_:now:)`` next.
    ///
    /// - Parameters:
    ///   - comparison: The person's comparison of the numbers, for a request that has one.
    ///   - rights: Rights that the person gives the phone beside ``initialRights``.
    package mutating func accept(
        _ id: PairingRequest.ID,
        comparison: PairingComparison?,
        allowing rights: Set<Right> = [],
        now: Date
    ) throws -> PairedPhone {
        guard let index = pending.firstIndex(where: { $0.request.id == id && $0.reply == nil }),
            now <= pending[index].request.expiresAt
        else { throw PairingError.unknownRequest }
        var accepted = pending[index]
        let request = accepted.request
        let seal: PairingSeal?
        switch accepted.way {
        case .scanned(var presenter):
            seal = PairingSeal(handshake: try presenter.accept(nowMilliseconds: now.millisecondsSince1970))
        case .typed(var exchange):
            seal = PairingSeal(transport: try exchange.confirm(number: number(for: request, comparison)))
        case .documented:
            seal = nil
        }
        accepted.reply = try own.confirmation(of: accepted.code, seal: seal, now: now)
        pending[index] = accepted
        let info = PairingDeviceInfo(deviceID: request.deviceID, name: request.name, platform: request.platform)
        return phone(request.did, info, key: accepted.agreementKey, allowing: rights, now: now)
    }

    private func number(for request: PairingRequest, _ comparison: PairingComparison?) throws -> String? {
        guard let shown = request.comparisonNumber else { return nil }
        switch comparison {
        case nil: throw PairingError.numberNeeded
        case .same: return shown
        case .typed(let text):
            let digits = text.filter(\.isWholeNumber)
            guard digits == shown else { throw PairingError.numbersDiffer }
            return shown
        }
    }

    /// Tells the phone that it is paired. Call it when the record is on disk.
    package mutating func completed(_ id: PairingRequest.ID, as phone: PairedPhone, now: Date) -> [Effect] {
        guard let index = pending.firstIndex(where: { $0.request.id == id }), let reply = pending[index].reply else {
            return []
        }
        let done = pending.remove(at: index)
        guard !done.isWithdrawn else {
            answerAsExpired(done, now: now)
            return [.drop(done.request), .changed]
        }
        noteAccepted(done, now: now)
        answers.keep(.message(reply, to: phone.did.text), for: done.digest, did: phone.did, now: now)
        lastPaired = phone
        return [.send(reply, to: phone.did.text), .changed]
    }

    /// Ends an accepted request whose record could not be written: the phone is not paired.
    package mutating func failed(_ id: PairingRequest.ID, now: Date) -> [Effect] {
        guard let lost = pending.first(where: { $0.request.id == id }) else { return [] }
        return end(lost, answering: .busy, now: now)
    }

    /// Refuses a request, because the person said no.
    package mutating func reject(_ id: PairingRequest.ID, now: Date) throws -> [Effect] {
        guard let declined = pending.first(where: { $0.request.id == id && $0.reply == nil }) else {
            throw PairingError.unknownRequest
        }
        return end(declined, answering: .declined, now: now)
    }

    /// Ends a request whose numbers differ on the two screens: an attacker is in between.
    package mutating func numbersDiffered(_ id: PairingRequest.ID, now: Date) -> [Effect] {
        guard let caught = pending.first(where: { $0.request.id == id }) else { return [] }
        guesses.fail(now: now)
        return end(caught, answering: .handshakeFailed, now: now)
    }

    mutating func end(_ over: Pending, answering reason: PairingReject.Reason, now: Date) -> [Effect] {
        pending.removeAll { $0.request.id == over.request.id }
        guard let payload = Self.rejection(reason, code: over.code.digits) else { return [.changed] }
        let recipient = over.request.did.text
        answers.keep(.message(payload, to: recipient), for: over.digest, did: over.request.did, now: now)
        return [.send(payload, to: recipient), .changed]
    }

    /// Forgets a pairing that is over: a repeat of the phone's ack is told so, and does not bring the pairing back.
    package mutating func forget(_ did: DID) {
        answers.replace(answersTo: did) { given, recipient in
            let code = given["pairingCode"]?.stringValue ?? ""
            return Self.rejection(.expired, code: code).map { .message($0, to: recipient) } ?? .undecided
        }
        if lastPaired?.did == did { lastPaired = nil }
    }
}

/// A person's comparison of the number that both screens show.
public enum PairingComparison: Hashable, Sendable {
    /// The person pressed "they are the same".
    case same
    /// The person typed the number that the phone shows.
    case typed(String)
}
