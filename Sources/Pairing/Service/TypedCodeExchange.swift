package import Foundation
package import Kernel
import Sealing

/// The phone's side of pairing by digits that were typed from the computer's screen. Source: `docs/protocol.md` 2.3, "Typed code".
package struct TypedCodeExchange: PhoneExchange {
    let code: TypedCode
    let allowsDocumentedPeers: Bool
    package private(set) var outgoing: JSONValue?
    private var exchange: CodeExchange.Phone
    private var hasProved = false
    /// The computer's id, stamped as the sender of message 2. The key agreement fails when the relay made it up.
    private(set) var desktopID: String?

    package init(code: TypedCode, own: OwnDevice, allowsDocumentedPeers: Bool, now: Date) throws {
        self.code = code
        self.allowsDocumentedPeers = allowsDocumentedPeers
        recipient = code.code.alias
        exchange = try CodeExchange.Phone(
            digits: code.digits,
            alias: code.code.alias,
            identity: own.identity,
            device: own.claim
        )
        let seal = PairingSeal(code: CodeStep(nonce: exchange.nonce, digits: exchange.length.rawValue))
        outgoing = try own.ack(to: code.code, seal: seal, now: now)
    }

    package private(set) var recipient: String
    package var shownCode: PairingCode { code.code }
    /// The recipient is the computer's own id, because the alias may be gone by then.
    package var question: (payload: JSONValue, recipient: String)? {
        guard hasProved, let outgoing, let desktopID else { return nil }
        return (outgoing, desktopID)
    }

    package var offlineError: PairingError { .codeNotShown }
    /// Whether the computer's id is known. A computer of the documented wire takes the first message and leaves the alias, and a
    /// repeat would go to the next computer that shows these digits.
    package var mayRepeat: Bool { desktopID != nil }
    package var goneError: PairingError? { .codeTakenDown }
    /// The number to compare; nil for ten digits, which an attacker could not have guessed.
    package var comparisonNumber: String? { exchange.shortNumber }

    /// Goes on under the computer's own id: a computer takes the code from its screen, and leaves the alias, as soon as a phone has
    /// proved itself, while its person still decides.
    package mutating func recipientLeft() -> Bool {
        guard let desktopID, recipient != desktopID else { return false }
        recipient = desktopID
        return true
    }

    package mutating func receive(_ message: PairingMessage, from sender: String?, now: Date) -> PhoneStep {
        switch message {
        case .exchange(let step) where step.code == code.code.digits:
            return advance(with: step.seal, from: sender, now: now)
        case .confirmation(let confirmation) where confirmation.code == code.code.digits:
            return finish(with: confirmation, from: sender, now: now)
        case .reject(let reject) where reject.code == code.code.digits:
            return .failed(reject.reason.error(from: "the computer"))
        default:
            return .ignored
        }
    }

    private mutating func advance(with seal: PairingSeal, from sender: String?, now: Date) -> PhoneStep {
        guard let step = seal.code else { return .ignored }
        do {
            if let nonce = step.nonce {
                guard let sender, !sender.isEmpty, PeerText.isIdentifier(sender), desktopID == nil else {
                    return .ignored
                }
                let commitment = try exchange.commit(desktopNonce: nonce.bytes, desktopID: sender)
                desktopID = sender
                return try send(CodeStep(commitment: commitment))
            }
            guard sender == desktopID else { return .ignored }
            if let share = step.share, let opening = step.opening {
                let reveal = try exchange.reveal(for: .init(share: share.bytes, blind: opening.bytes))
                return try send(
                    CodeStep(share: reveal.share.share, opening: reveal.share.blind, tag: reveal.answer.tag),
                    handshake: reveal.answer.handshake
                )
            }
            if let tag = step.tag, let handshake = seal.handshake {
                let proof = try exchange.prove(
                    answer: .init(tag: tag.bytes, handshake: handshake.bytes),
                    nowMilliseconds: now.millisecondsSince1970
                )
                hasProved = true
                return try send(nil, handshake: proof)
            }
            return .ignored
        } catch SealingError.handshakeOutOfOrder {
            return .ignored  // a repeat
        } catch SealingError.wrongCode {
            return .failed(.wrongCode)
        } catch {
            return .failed(.handshakeFailed)
        }
    }

    private mutating func send(_ step: CodeStep?, handshake: [UInt8]? = nil) throws -> PhoneStep {
        let seal = PairingSeal(handshake: handshake, code: step)
        outgoing = try PairingMessage.exchange(PairingExchange(code: code.code, seal: seal)).payload
        return .send
    }

    private mutating func finish(with confirmation: PairingConfirmation, from sender: String?, now: Date) -> PhoneStep {
        guard let transport = confirmation.seal?.transport else {
            return finishInTheClear(with: confirmation, from: sender, now: now)
        }
        guard let desktopID, let peer = try? exchange.finish(confirmation: transport.bytes) else {
            return .ignored  // too early, or a forgery: the real one may still come
        }
        guard peer.hasStorableDevice, peer.device.id == desktopID else { return .failed(.handshakeFailed) }
        return .paired(PairedDesktop(desktopID, provenBy: peer, state: .confirmed, now: now))
    }

    /// Reads the confirmation of a computer that speaks only the documented wire, or of a stranger who wants to look like one.
    /// Once the computer has shown that it can seal, unsealed messages are ignored.
    private func finishInTheClear(with confirmation: PairingConfirmation, from sender: String?, now: Date) -> PhoneStep
    {
        guard desktopID == nil, !confirmation.pcPeerID.isEmpty, PeerText.isIdentifier(confirmation.pcPeerID) else {
            return .ignored
        }
        let info = confirmation.deviceInfo.checked
        guard allowsDocumentedPeers else { return .failed(.notEndToEnd(name: info.name)) }
        let id = PairingConfirmation.address(claimed: confirmation.pcPeerID, sender: sender)
        return .paired(PairedDesktop(id, claiming: info, now: now))
    }
}
