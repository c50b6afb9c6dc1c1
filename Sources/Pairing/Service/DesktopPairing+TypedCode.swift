import Foundation
import Kernel
import Sealing

extension DesktopPairing {
    /// Reads message 1: a phone says that a person typed the code into it.
    mutating func typed(
        _ step: CodeStep,
        code text: String,
        by did: DID,
        _ window: Window,
        _ arrival: Arrival
    ) -> [Effect] {
        let now = arrival.now
        guard let typed = window.typed, typed.code.digits == text else {
            // The digits beside the QR code were replaced, or there are none.
            return refuse(hasEnded(text) ? .expired : .wrongCode, code: text, to: did.text, now: now)
        }
        guard !guesses.isLocked(now: now) else { return refuse(.locked, code: text, to: did.text, now: now) }
        guard let nonce = step.nonce, let length = CodeExchange.Length(rawValue: step.digits ?? 10) else {
            return refuseForged(code: text, to: did.text, arrival)
        }
        guard length.rawValue == window.digits.rawValue else {
            // With six digits of ten, only the comparison would stand against an attacker. This does not count as a guess.
            return refuse(length == .six ? .tenDigits : .wrongCode, code: text, to: did.text, now: now)
        }
        guard typedTries[did] != nil || typedTries.count < Self.typedTriesAllowed else {
            return refuse(.busy, code: text, to: did.text, now: now)
        }
        do {
            var exchange = try CodeExchange.Desktop(
                digits: typed.digits,
                alias: typed.code.alias,
                deviceID: own.deviceID,
                identity: own.identity,
                device: own.claim
            )
            let answer = try exchange.greet(phoneNonce: nonce.bytes, length: length, phone: did)
            typedTries[did] = TypedTry(exchange: exchange, startedAt: now)
            return try send(CodeStep(nonce: answer), code: typed.code, to: did, arrival)
        } catch {
            return refuseForged(code: text, to: did.text, arrival)
        }
    }

    /// Reads messages 3, 5 and 7.
    mutating func receive(_ step: PairingExchange, _ arrival: Arrival) -> [Effect] {
        let (sender, now) = (arrival.sender, arrival.now)
        if let repeated = repeated(arrival.digest) { return repeated }
        guard let typed = window?.typed, typed.code.digits == step.code else {
            return refuse(hasEnded(step.code) ? .expired : .wrongCode, code: step.code, to: sender, now: now)
        }
        guard let did = sender.flatMap({ try? DID($0) }), var current = typedTries[did] else { return [] }
        defer {
            // The try is stored only while the digits are the same: replacing them ends their tries.
            if window?.typed == typed { typedTries[did] = current }
        }
        let code = step.seal.code
        do {
            if let commitment = code?.commitment {
                let share = try current.exchange.share(after: commitment.bytes)
                let answer = CodeStep(share: share.share, opening: share.blind)
                return try send(answer, code: typed.code, to: did, arrival)
            }
            if let share = code?.share, let opening = code?.opening, let tag = code?.tag,
                let handshake = step.seal.handshake
            {
                return try guess(
                    CodeExchange.Reveal(
                        share: .init(share: share.bytes, blind: opening.bytes),
                        answer: .init(tag: tag.bytes, handshake: handshake.bytes)
                    ),
                    on: &current.exchange,
                    code: typed.code,
                    by: did,
                    arrival
                )
            }
            guard let handshake = step.seal.handshake else { return [] }
            let peer = try current.exchange.read(proof: handshake.bytes)
            guard peer.hasStorableDevice else { throw SealingError.identityNotProven }
            return ask(
                about: peer,
                way: .typed(current.exchange),
                code: typed.code,
                comparisonNumber: current.exchange.shortNumber,
                arrival
            )
        } catch SealingError.handshakeOutOfOrder {
            return []  // a repeat, or a step that was never due
        } catch {
            // A forged or damaged message counts as a try against the code; the real message may still come.
            return countWrongTry(of: sender, now: now)
        }
    }

    /// Reads message 5, which holds the single guess allowed for each code.
    private mutating func guess(
        _ reveal: CodeExchange.Reveal,
        on exchange: inout CodeExchange.Desktop,
        code: PairingCode,
        by did: DID,
        _ arrival: Arrival
    ) throws -> [Effect] {
        let now = arrival.now
        do {
            let answer = try exchange.answer(reveal, nowMilliseconds: now.millisecondsSince1970)
            return try send(CodeStep(tag: answer.tag), handshake: answer.handshake, code: code, to: did, arrival)
        } catch SealingError.handshakeOutOfOrder {
            throw SealingError.handshakeOutOfOrder
        } catch {
            let refusal = refuse(.wrongCode, code: code.digits, to: did.text, keptFor: arrival.digest, now: now)
            return failGuess(now: now) + refusal
        }
    }

    private mutating func send(
        _ step: CodeStep,
        handshake: [UInt8]? = nil,
        code: PairingCode,
        to did: DID,
        _ arrival: Arrival
    ) throws -> [Effect] {
        let seal = PairingSeal(handshake: handshake, code: step)
        let payload = try PairingMessage.exchange(PairingExchange(code: code, seal: seal)).payload
        answers.keep(.message(payload, to: did.text), for: arrival.digest, now: arrival.now)
        return [.send(payload, to: did.text)]
    }
}
