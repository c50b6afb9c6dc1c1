import Kernel

extension HubError: ClassifiedError {
    var failureKind: FailureKind {
        switch self {
        case .notConnected, .notOwned: .notFound
        case .notListening: .refused
        }
    }
}
