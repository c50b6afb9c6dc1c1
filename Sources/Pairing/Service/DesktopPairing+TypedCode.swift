import Foundation
import Kernel
import Sealing

extension DesktopPairing {
    /// Reads message 1: a phone says that a person typed the code into it.
    mutating func typed(
        _ step: CodeStep,
        code text: String,
        by did: DID,
        window: Window,
        digest: [UInt8],
        now: Date
    ) -> [Effect] {
        guard let typed = window.typed, typed.code.digits == text else {
            // The digits beside the QR code were replaced, or there are none.
            return refuse(hasEnded(text) ? .expired : .wrongCode, code: text, to: did.text, now: now)
        }
        guard !guesses.isLocked(now: now) else { return refuse(.locked, code: text, to: did.text, now: now) }
        guard let nonce = step.nonce, let length = CodeExchange.Length(rawValue: step.digits ?? 10) else {
            return refuseForged(code: text, digest: digest, to: did.text, now: now)
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
            return try send(CodeStep(nonce: answer), code: typed.code, digest: digest, to: did, now: now)
        } catch {
            return refuseForged(code: text, digest: digest, to: did.text, now: now)
        }
    }

    /// Reads messages 3, 5 and 7.
    mutating func receive(
        _ step: PairingExchange,
        digest: [UInt8],
        from sender: String?,
        known: [PairedPhone],
        now: Date
    ) -> [Effect] {
        if let repeated = repeated(digest) { return repeated }
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
                return try send(answer, code: typed.code, digest: digest, to: did, now: now)
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
                    digest: digest,
                    by: did,
                    now: now
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
                digest: digest,
                known: known,
                now: now
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
        digest: [UInt8],
        by did: DID,
        now: Date
    ) throws -> [Effect] {
        do {
            let answer = try exchange.answer(reveal, nowMilliseconds: now.millisecondsSince1970)
            return try send(
                CodeStep(tag: answer.tag),
                handshake: answer.handshake,
                code: code,
                digest: digest,
                to: did,
                now: now
            )
        } catch SealingError.handshakeOutOfOrder {
            throw SealingError.handshakeOutOfOrder
        } catch {
            let refusal = refuse(.wrongCode, code: code.digits, to: did.text, keptFor: digest, now: now)
            return failGuess(now: now) + refusal
        }
    }

    private mutating func send(
        _ step: CodeStep,
        handshake: [UInt8]? = nil,
        code: PairingCode,
        digest: [UInt8],
        to did: DID,
        now: Date
    ) throws -> [Effect] {
        let seal = PairingSeal(handshake: handshake, code: step)
        let payload = try PairingMessage.exchange(PairingExchange(code: code, seal: seal)).payload
        answers.keep(.message(payload, to: did.text), for: digest, now: now)
        return [.send(payload, to: did.text)]
    }
}
