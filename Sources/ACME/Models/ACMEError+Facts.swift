public import Kernel
import WebClient

extension ACMEError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .badName, .tooManyNames, .badContact, .badDirectory, .termsNotAgreed: .kind(.badRequest)
        case .notAsked(let error): error.facts
        case .actionRequired, .externalAccountRequired, .accountClosed, .askedToWait, .notProved, .noMethod,
            .nameRefused, .refused,
            .badAnswer, .wrongCertificate, .cannotListen:
            .kind(.refused)
        case .wrongClock, .tooSlow: .kind(.expired)
        case .damaged, .cannotAnswer: .kind(.internal)
        }
    }
}
