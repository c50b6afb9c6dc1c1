public import Kernel

extension OfflineQueueError: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .notQueueable: .refused
        case .tooLarge: .tooLarge
        case .unknownCommand: .notFound
        }
    }
}
