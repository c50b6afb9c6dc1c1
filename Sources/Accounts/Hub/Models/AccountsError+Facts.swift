package import Accounts
package import Kernel

extension AccountsError: ClassifiedError {
    package var facts: FailureFacts {
        switch self {
        case .malformedRequest, .badName, .badNickname, .badAvatar, .badPassword, .badDevice, .noProof,
            .incompleteProof, .otherName, .badInvitation, .badSetting:
            .kind(.badRequest)
        case .noSuchAccount, .noSuchDevice, .noSuchInvitation, .keyUnknown, .nameUnknown: .kind(.notFound)
        case .nameTaken, .keyTaken: .kind(.exists)
        case .tokenExpired, .sessionOver, .refreshRefused: .kind(.expired)
        case .keysDamaged: .kind(.internal)
        case .closed, .invitationNeeded, .invitationRefused, .proofRefused, .wrongPassword, .suspended, .othersAccount,
            .findingOff, .tooOften, .busy, .noToken, .tokenMalformed, .tokenForged, .tokenKeyUnknown, .tokenNotYetValid,
            .tooManyInvitations:
            .kind(.refused)
        }
    }
}

extension AccountsError: IMClassifiedError {
    package var imCode: IMErrorCode {
        switch self {
        case .malformedRequest, .badName, .badNickname, .badAvatar, .badPassword, .badDevice, .noProof,
            .incompleteProof, .otherName, .badInvitation, .badSetting:
            .badArguments
        case .closed, .invitationNeeded, .invitationRefused, .proofRefused, .wrongPassword, .suspended, .othersAccount,
            .findingOff, .tooManyInvitations:
            .noPermission
        case .nameTaken, .keyTaken: .registeredAlready
        case .keyUnknown, .noSuchAccount, .nameUnknown: .userNotFound
        case .noSuchDevice, .noSuchInvitation: .notFound
        case .tooOften, .busy: .tooManyRequests
        case .noToken: .tokenNotExisting
        case .tokenMalformed: .tokenMalformed
        case .tokenForged: .tokenInvalid
        case .tokenKeyUnknown: .tokenUnknown
        case .tokenExpired: .tokenExpired
        case .tokenNotYetValid: .tokenNotYetValid
        case .sessionOver, .refreshRefused: .tokenKicked
        case .keysDamaged: .internalError
        }
    }

    /// Of what the person can mend. The words are the wire's.
    package var imReason: String? {
        switch self {
        case .badName: "badName"
        case .badNickname: "badNickname"
        case .badPassword: "badPassword"
        case .otherName: "otherName"
        case .closed: "closed"
        case .invitationNeeded: "invitationNeeded"
        case .invitationRefused: "invitationRefused"
        case .nameTaken: "nameTaken"
        case .keyTaken: "keyTaken"
        case .keyUnknown: "keyUnknown"
        case .wrongPassword: "wrongPassword"
        case .suspended: "suspended"
        case .tooOften: "tooOften"
        case .busy: "busy"
        case .noSuchDevice: "noSuchDevice"
        default: nil
        }
    }

    package var retryAfter: Int? {
        switch self {
        case .tooOften(let seconds): seconds
        case .busy: 1
        default: nil
        }
    }
}
