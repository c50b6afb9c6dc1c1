public import Kernel

extension PairingError: NamedFailure {
    /// See `NamedFailure`. The names are a contract with the page, which has a sentence for each.
    public var reason: String { named.reason }

    /// See `NamedFailure`.
    public var values: [String: JSONValue] { named.values }

    private var named: (reason: String, values: [String: JSONValue]) {
        switch self {
        case .notAPairingCode: ("notAPairingCode", [:])
        case .wrongKindOfCode(let found): ("wrongKindOfCode", ["found": .string(found)])
        case .codeNotSixDigits: ("codeNotSixDigits", [:])
        case .missingDesktopID: ("missingDesktopID", [:])
        case .damagedCode(let field): ("damagedCode", ["field": .string(field)])
        case .codeExpired(let age): ("codeExpired", ["ageSeconds": .integer(age)])
        case .codeFromTheFuture(let ahead): ("codeFromTheFuture", ["aheadSeconds": .integer(ahead)])
        case .unsafeAddress(let address): ("unsafeAddress", ["address": .string(address)])
        case .codeHasOtherCharacters: ("codeHasOtherCharacters", [:])
        case .wrongDigitCount(let count): ("wrongDigitCount", ["count": .integer(Int64(count))])
        case .noIdentity: ("noIdentity", [:])
        case .noAddress: ("noAddress", [:])
        case .unreachable(let attempts): ("unreachable", ["attempts": .array(attempts.map(\.json))])
        case .deviceOffline(let name): ("deviceOffline", ["name": .string(name)])
        case .codeNotShown: ("codeNotShown", [:])
        case .codeTakenDown: ("codeTakenDown", [:])
        case .notSent(let reason): ("notSent", ["reason": .string(reason)])
        case .noAnswer(let seconds): ("noAnswer", ["afterSeconds": .integer(seconds)])
        case .malformedMessage(let type): ("malformedMessage", ["type": .string(type)])
        case .declined(let name): ("declined", ["name": .string(name)])
        case .wrongCode: ("wrongCode", [:])
        case .locked: ("locked", [:])
        case .busy: ("busy", [:])
        case .endToEndRequired: ("endToEndRequired", [:])
        case .handshakeFailed: ("handshakeFailed", [:])
        case .refused(let reason): ("refused", ["reason": .string(reason)])
        case .tenDigitsNeeded: ("tenDigitsNeeded", [:])
        case .keyChanged(let name): ("keyChanged", ["name": .string(name)])
        case .notEndToEnd(let name): ("notEndToEnd", ["name": .string(name)])
        case .shownCodeExpired: ("shownCodeExpired", [:])
        case .codeWithdrawn: ("codeWithdrawn", [:])
        case .unknownRequest: ("unknownRequest", [:])
        case .requestWithdrawn(let name): ("requestWithdrawn", ["name": .string(name)])
        case .numbersDiffer: ("numbersDiffer", [:])
        case .numberNeeded: ("numberNeeded", [:])
        }
    }
}

extension PairingAttempt {
    fileprivate var json: JSONValue { ["way": .string(way.rawValue), "reason": .string(reason)] }
}
