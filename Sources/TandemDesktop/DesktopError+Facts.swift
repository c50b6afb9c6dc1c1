package import Kernel

extension DesktopError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .unknownPhone, .nobodyAsks, .noPhone, .nothingAsked: .kind(.notFound)
        case .severalPhones, .severalAsk, .phoneNeeded: .kind(.badRequest)
        case .seals: .kind(.refused)
        }
    }
}
