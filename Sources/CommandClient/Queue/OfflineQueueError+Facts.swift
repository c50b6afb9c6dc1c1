public import Kernel

extension OfflineQueueError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .notQueueable: .kind(.refused)
        case .tooLarge: .kind(.tooLarge)
        case .unknownCommand: .kind(.notFound)
        }
    }
}
