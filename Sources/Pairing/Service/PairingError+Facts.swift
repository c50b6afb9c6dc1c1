public import Kernel

extension PairingError: ClassifiedError {
    /// The reasons are a contract with the page, which has a sentence for each. An unreachable device says nothing about this one's network.
    public var facts: FailureFacts {
        switch self {
        case .notAPairingCode: .kind(.badRequest, reason: "notAPairingCode")
        case .wrongKindOfCode(let found): .kind(.badRequest, reason: "wrongKindOfCode", ["found": .string(found)])
        case .codeNotSixDigits: .kind(.badRequest, reason: "codeNotSixDigits")
        case .missingDesktopID: .kind(.badRequest, reason: "missingDesktopID")
        case .damagedCode(let field): .kind(.badRequest, reason: "damagedCode", ["field": .string(field)])
        case .codeOfNewerProgram: .kind(.badRequest, reason: "codeOfNewerProgram")
        case .codeExpired(let age): .kind(.expired, reason: "codeExpired", ["ageSeconds": .integer(age)])
        case .codeFromTheFuture(let ahead):
            .kind(.badRequest, reason: "codeFromTheFuture", ["aheadSeconds": .integer(ahead)])
        case .unsafeAddress(let address): .kind(.badRequest, reason: "unsafeAddress", ["address": .string(address)])
        case .codeHasOtherCharacters: .kind(.badRequest, reason: "codeHasOtherCharacters")
        case .wrongDigitCount(let count):
            .kind(.badRequest, reason: "wrongDigitCount", ["count": .integer(Int64(count))])
        case .noIdentity: .kind(.internal, reason: "noIdentity")
        case .noAddress: .kind(.badRequest, reason: "noAddress")
        case .unreachable(let attempts): .kind(.away, reason: "unreachable", ["attempts": .array(attempts.map(\.json))])
        case .deviceOffline(let name): .kind(.away, reason: "deviceOffline", ["name": .string(name)])
        case .codeNotShown: .kind(.notFound, reason: "codeNotShown")
        case .codeTakenDown: .kind(.expired, reason: "codeTakenDown")
        case .notSent(let reason): .kind(.away, reason: "notSent", ["reason": .string(reason)])
        case .noAnswer(let seconds): .kind(.expired, reason: "noAnswer", ["afterSeconds": .integer(seconds)])
        case .malformedMessage(let type): .kind(.internal, reason: "malformedMessage", ["type": .string(type)])
        case .declined(let name): .kind(.refused, reason: "declined", ["name": .string(name)])
        case .wrongCode: .kind(.refused, reason: "wrongCode")
        case .locked: .kind(.refused, reason: "locked")
        case .busy: .kind(.refused, reason: "busy")
        case .endToEndRequired: .kind(.refused, reason: "endToEndRequired")
        case .handshakeFailed: .kind(.internal, reason: "handshakeFailed")
        case .refused(let reason): .kind(.refused, reason: "refused", ["reason": .string(reason)])
        case .tenDigitsNeeded: .kind(.badRequest, reason: "tenDigitsNeeded")
        case .keyChanged(let name): .kind(.refused, reason: "keyChanged", ["name": .string(name)])
        case .notEndToEnd(let name): .kind(.refused, reason: "notEndToEnd", ["name": .string(name)])
        case .shownCodeExpired: .kind(.expired, reason: "shownCodeExpired")
        case .codeWithdrawn: .kind(.expired, reason: "codeWithdrawn")
        case .unknownRequest: .kind(.notFound, reason: "unknownRequest")
        case .requestWithdrawn(let name): .kind(.notFound, reason: "requestWithdrawn", ["name": .string(name)])
        case .numbersDiffer: .kind(.refused, reason: "numbersDiffer")
        case .numberNeeded: .kind(.badRequest, reason: "numberNeeded")
        case .numberUnconfirmed: .kind(.refused, reason: "numberUnconfirmed")
        }
    }
}

extension PairingAttempt {
    fileprivate var json: JSONValue { ["way": .string(way.rawValue), "reason": .string(reason)] }
}
