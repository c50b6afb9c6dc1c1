public import Kernel

extension RouteError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .bodyTooLarge: .kind(.tooLarge)
        case .malformedPath, .malformedSubprotocol, .boundOutOfRange, .taken, .unclearPort, .bodyReadTwice:
            .kind(.internal)
        }
    }
}
