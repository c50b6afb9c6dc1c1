public import Kernel

extension TerminalError: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .sessionNotFound, .sessionNotAlive, .folderMissing: .notFound
        case .sessionIDRequired, .invalidDimensions, .badEnvironment, .inputOutOfOrder: .badRequest
        case .inputFull: .tooLarge
        case .stopped, .shellNotAllowed, .tooManySessions: .refused
        case .notStarted: .internal
        }
    }
}
