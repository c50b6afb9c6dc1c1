public import Kernel

extension RemoteError: ClassifiedError {
    public var failureKind: FailureKind {
        switch self {
        case .timeout, .notConnected, .allTransportsFailed: .away
        case .notPaired, .tooManyWaiting: .refused
        case .malformedResult: .internal
        case .resultTooLarge: .tooLarge
        case .invalidArgument, .invalidRequest: .badRequest
        }
    }
}

extension RemoteFailure: ClassifiedError {
    public var failureKind: FailureKind {
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
