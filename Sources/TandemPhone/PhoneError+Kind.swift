public import Kernel

extension PhoneError: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .nothingPaired, .unknownComputer: .notFound
        case .severalComputers, .badAddress: .badRequest
        case .sealed, .notPaired: .refused
        case .noFeature: .unknownMethod
        case .away: .away
        case .unreachable: .offline
        }
    }
}

extension ClearRefusal: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .notAllowed: .notAllowed
        case .overRelay, .cannotWait: .refused
        case .away: .away
        }
    }
}
