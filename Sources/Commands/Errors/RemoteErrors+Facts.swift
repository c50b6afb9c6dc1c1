public import Kernel

extension RemoteError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .timeout, .notConnected, .allTransportsFailed: .kind(.away)
        case .notPaired, .tooManyWaiting: .kind(.refused)
        case .malformedResult: .kind(.internal)
        case .resultTooLarge: .kind(.tooLarge)
        case .invalidArgument, .invalidRequest: .kind(.badRequest)
        }
    }
}

extension RemoteFailure: ClassifiedError {
    /// Without a code: it is an answer already.
    public var facts: FailureFacts { .kind(kind) }

    private var kind: FailureKind {
        switch code {
        case FailureCode.notAllowed: .notAllowed
        case FailureCode.unknownMethod, FailureCode.unsupported: .unknownMethod
        case FailureCode.badParameters, FailureCode.invalidRequest: .badRequest
        case FailureCode.quota: .tooLarge
        case FailureCode.notFound, FailureCode.unknownTransfer: .notFound
        case FailureCode.exists: .exists
        case FailureCode.cancelled: .cancelled
        case FailureCode.internalError, FailureCode.checksum: .internal
        default: .refused
        }
    }
}
