public import Kernel

extension PairingError {
    /// See `ClassifiedError`. An unreachable device says nothing about this one's network.
    public var failureKind: FailureKind {
        switch self {
        case .notAPairingCode, .wrongKindOfCode, .codeNotSixDigits, .missingDesktopID, .damagedCode, .codeFromTheFuture,
            .unsafeAddress, .codeHasOtherCharacters, .wrongDigitCount, .tenDigitsNeeded, .numberNeeded, .noAddress:
            .badRequest
        case .codeExpired, .shownCodeExpired, .codeWithdrawn, .codeTakenDown, .noAnswer: .expired
        case .unreachable, .deviceOffline, .notSent: .away
        case .codeNotShown, .unknownRequest, .requestWithdrawn: .notFound
        case .declined, .wrongCode, .locked, .busy, .endToEndRequired, .refused, .keyChanged, .notEndToEnd,
            .numbersDiffer:
            .refused
        case .noIdentity, .malformedMessage, .handshakeFailed: .internal
        }
    }
}
