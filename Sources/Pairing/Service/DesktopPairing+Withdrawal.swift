package import Foundation
import Kernel
import Sealing

/// Withdrawals: phones take their requests back.
extension DesktopPairing {
    /// Ends the request that the withdrawal signs. A request that is being written to disk ends once that is done, an accepted one
    /// ends by ``Effect/drop(_:)``. Any other withdrawal is a repeat or a stranger's, and changes nothing.
    mutating func receive(_ withdrawal: PairingWithdrawal, now: Date) -> [Effect] {
        guard let did = try? DID(withdrawal.mobileDID), let signature = withdrawal.seal.withdrawal?.bytes else {
            return []
        }
        func isSigned(_ question: Pending) -> Bool {
            let code = question.code.digits
            // The key of a request in the clear was only claimed.
            guard question.request.did == did, question.request.isEndToEnd, code == withdrawal.code else {
                return false
            }
            return (try? WithdrawalSignature.verify(signature, did: did, code: code, digest: question.digest)) != nil
        }
        if let index = pending.firstIndex(where: isSigned) {
            guard pending[index].reply == nil else {
                pending[index].isWithdrawn = true
                return []
            }
            let over = pending.remove(at: index)
            answerAsExpired(over, now: now)
            noteWithdrawn(over.request, now: now)
            return [.changed]
        }
        guard let index = accepted.firstIndex(where: { isSigned($0.question) }) else { return [] }
        return [.drop(accepted.remove(at: index).question.request)]
    }

    /// Answers repeats of an ended request as expired, so that one still on the way does not bring the request back.
    mutating func answerAsExpired(_ over: Pending, now: Date) {
        guard let payload = Self.rejection(.expired, code: over.code.digits) else { return }
        let did = over.request.did
        answers.keep(.message(payload, to: did.text), for: over.digest, did: did, now: now)
    }

    mutating func noteAccepted(_ done: Pending, now: Date) {
        let recent = accepted.filter { now.timeIntervalSince($0.at) < Self.lifetime }
        accepted = recent.suffix(Self.requestsAllowed - 1) + [(done, now)]
    }

    package mutating func noteWithdrawn(_ request: PairingRequest, now: Date) {
        withdrawn = withdrawn.suffix(Self.requestsAllowed - 1) + [(request, now)]
    }

    /// Whether the phone took back a request that the person has just accepted.
    package func isWithdrawn(_ id: PairingRequest.ID) -> Bool {
        pending.contains { $0.request.id == id && $0.isWithdrawn }
    }
}
