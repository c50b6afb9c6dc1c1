public import Kernel

extension PairingError: ClassifiedError {
    /// See `ClassifiedError`.
    public var failureKind: FailureKind {
        switch self {
        case .notAPairingCode, .wrongKindOfCode, .codeNotSixDigits, .missingDesktopID, .damagedCode, .codeFromTheFuture,
            .unsafeAddress, .codeHasOtherCharacters, .wrongDigitCount, .tenDigitsNeeded, .numberNeeded:
            .badRequest
        case .codeExpired, .shownCodeExpired, .codeTakenDown, .noAnswer: .expired
        case .noAddress, .unreachable: .offline
        case .deviceOffline, .notSent: .away
        case .codeNotShown, .unknownRequest: .notFound
        case .declined, .wrongCode, .locked, .busy, .endToEndRequired, .refused, .keyChanged, .notEndToEnd,
            .numbersDiffer:
            .refused
        case .noIdentity, .malformedMessage, .handshakeFailed: .internal
        }
    }
}
