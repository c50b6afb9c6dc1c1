package import Kernel

extension DesktopError: ClassifiedError {
    package var failureKind: FailureKind {
        switch self {
        case .unknownPhone, .nobodyAsks, .noPhone: .notFound
        case .severalPhones, .severalAsk, .phoneNeeded: .badRequest
        case .seals: .refused
        }
    }
}
