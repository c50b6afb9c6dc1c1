import Accounts
public import Kernel
import WebClient

extension AccountClientError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .alreadySignedIn: .kind(.exists)
        case .notSignedIn: .kind(.notFound)
        case .malformedInvitation, .unsafeAddress: .kind(.badRequest)
        case .signedOut: .kind(.expired, reason: "signedOut")
        case .clockWrong, .noAccounts, .redirected, .brokenAnswer: .kind(.refused)
        case .refused(let failure): Self.facts(of: failure)
        case .unreachable(let error): error.facts
        }
    }

    private static func facts(of failure: IMFailure) -> FailureFacts {
        switch failure.code {
        case .badArguments: .kind(.badRequest)
        case .registeredAlready: .kind(.exists)
        case .userNotFound, .notFound: .kind(.notFound)
        default: .kind(.refused)
        }
    }
}
