import Kernel

extension HubError: ClassifiedError {
    var facts: FailureFacts {
        switch self {
        case .notConnected, .notOwned: .kind(.notFound)
        case .notListening, .damagedCopy, .tooManyNames: .kind(.refused)
        case .notAbsolute, .notEmpty, .badName: .kind(.badRequest)
        }
    }
}
