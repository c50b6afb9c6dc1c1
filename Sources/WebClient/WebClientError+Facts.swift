public import Kernel

extension WebClientError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .malformedURL, .malformedField, .wrongBodyLength, .unusableCertificates, .malformedProxy:
            .kind(.badRequest)
        case .unknownHost, .cannotConnect, .proxyUnreachable, .timedOut(_, .connection, _):
            .kind(.offline, isAbsence: true)
        case .timedOut, .connectionLost: .kind(.offline)
        case .proxyNeedsPassword, .proxyRefused, .untrusted, .noTLS, .brokenAnswer: .kind(.refused)
        case .headTooLarge, .bodyTooLarge: .kind(.tooLarge)
        case .cancelled: .kind(.cancelled)
        case .closed: .kind(.gone)
        }
    }
}
