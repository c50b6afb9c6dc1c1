public import Kernel

extension RouteError: ClassifiedError {
    /// See `ClassifiedError`.
    public var failureKind: FailureKind {
        switch self {
        case .bodyTooLarge: .tooLarge
        case .malformedPath, .malformedSubprotocol, .boundOutOfRange, .taken, .unclearPort, .bodyReadTwice: .internal
        }
    }
}
