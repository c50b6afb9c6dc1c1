public import Kernel

extension ControlError: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .unknownMethod: .unknownMethod
        case .badParameter, .badParameters, .pathTooLong: .badRequest
        case .notRunning, .notAnswering, .cannotConnect, .connectionLost: .gone
        case .lineTooLong: .tooLarge
        case .refused, .otherUser: .refused
        case .unreadableAnswer: .internal
        }
    }
}
