public import Kernel

extension PhoneError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .nothingPaired, .unknownComputer: .kind(.notFound)
        case .severalComputers, .badAddress: .kind(.badRequest)
        case .sealed, .notPaired: .kind(.refused)
        case .noFeature: .kind(.unknownMethod)
        case .away: .kind(.away, isAbsence: true)
        case .unreachable: .kind(.offline, isAbsence: true)
        }
    }
}

extension ClearRefusal: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .notAllowed: .kind(.notAllowed)
        case .overRelay, .cannotWait: .kind(.refused)
        case .away: .kind(.away)
        }
    }
}
