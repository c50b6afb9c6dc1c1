public import Kernel

extension ControlError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .unknownMethod: .kind(.unknownMethod)
        case .badParameter, .badParameters, .pathTooLong: .kind(.badRequest)
        case .notRunning, .notAnswering, .cannotConnect, .connectionLost: .kind(.gone)
        case .lineTooLong: .kind(.tooLarge)
        case .refused, .otherUser: .kind(.refused)
        case .unreadableAnswer: .kind(.internal)
        }
    }
}
