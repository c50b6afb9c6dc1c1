import Accounts
public import Kernel
import WebClient

extension AccountClientError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .alreadySignedIn(let name, let hub):
            .kind(.exists, reason: "account.alreadySignedIn", ["name": .string(name), "hub": .string(hub)])
        case .notSignedIn: .kind(.notFound, reason: "account.notSignedIn")
        case .malformedInvitation: .kind(.badRequest, reason: "account.malformedInvitation")
        case .unsafeAddress(let hub): .kind(.badRequest, reason: "account.unsafeAddress", ["hub": .string(hub)])
        case .signedOut(let name, let hub):
            .kind(.expired, reason: "signedOut", ["name": .string(name), "hub": .string(hub)])
        case .clockWrong(let hub): .kind(.refused, reason: "account.clockWrong", ["hub": .string(hub)])
        case .noAccounts(let hub): .kind(.refused, reason: "account.noAccounts", ["hub": .string(hub)])
        case .redirected(let hub): .kind(.refused, reason: "account.redirected", ["hub": .string(hub)])
        case .brokenAnswer(let hub): .kind(.refused, reason: "account.brokenAnswer", ["hub": .string(hub)])
        case .refused(let failure): Self.facts(of: failure)
        case .unreachable(let error): Self.facts(of: error)
        }
    }

    private static func facts(of failure: IMFailure) -> FailureFacts {
        // The hub's word stands behind ours, so that a hub names no failure of another part of this program.
        let reason = failure.reason.map { "account.\($0)" }
        return switch failure.code {
        case .badArguments: .kind(.badRequest, reason: reason)
        case .registeredAlready: .kind(.exists, reason: reason)
        case .userNotFound, .notFound: .kind(.notFound, reason: reason)
        default: .kind(.refused, reason: reason)
        }
    }

    private static func facts(of error: WebClientError) -> FailureFacts {
        let facts = error.facts
        let reason: String? =
            switch error {
            case .malformedURL: "account.malformedAddress"
            case .untrusted, .noTLS: "account.untrusted"
            case _ where facts.kind == .offline: "account.unreachable"
            default: nil
            }
        return .kind(facts.kind, reason: reason, isAbsence: facts.isAbsence)
    }
}
