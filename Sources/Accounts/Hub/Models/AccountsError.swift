package import Accounts

/// Why a hub does not do what was asked about an account. The description is shown to the person: what happened, then what to do.
package enum AccountsError: Error, Hashable, Sendable, CustomStringConvertible {
    // A request that makes no sense.
    case malformedRequest(String)
    case badName
    case badNickname
    case badAvatar
    case badPassword
    case badDevice
    /// Neither a key nor a password came.
    case noProof
    /// Some of the members of a proof came, and not all.
    case incompleteProof
    case otherName

    // Who may come in.
    case closed
    case invitationNeeded
    case invitationRefused
    case nameTaken(AccountName)
    case keyTaken
    case keyUnknown
    case proofRefused
    case wrongPassword
    case suspended
    case refreshRefused
    case othersAccount
    case nameUnknown(AccountName)
    case findingOff
    case tooOften(seconds: Int)
    case busy

    // Access tokens.
    case noToken
    case tokenMalformed
    /// The signature does not hold, or is of another kind than this hub's.
    case tokenForged
    /// The token names a key that this hub does not have, or not any more.
    case tokenKeyUnknown
    case tokenExpired
    case tokenNotYetValid
    case sessionOver

    // The operator's.
    case noSuchAccount(String)
    case noSuchDevice
    case noSuchInvitation(String)
    case badInvitation(uses: ClosedRange<Int>, days: ClosedRange<Int>)
    case tooManyInvitations(limit: Int)
    case badSetting(String)
    case keysDamaged(path: String)

    package var description: String {
        requestSentence ?? admissionSentence ?? tokenSentence ?? operatorSentence
    }

    private var requestSentence: String? {
        switch self {
        case .malformedRequest(let reason): "The request is not right: \(reason)."
        case .badName:
            "A name is 1 to 64 small letters, digits, dots, hyphens and underscores, begins with a letter or digit, and "
                + "is not only digits. Choose another one."
        case .badNickname: "A nickname is at most 64 characters. Choose a shorter one."
        case .badAvatar: "The picture has no key that this hub gives. Upload it first."
        case .badPassword: "A password is 10 to 1024 bytes long. Choose another one."
        case .badDevice: "A device has a name of at most 64 characters, and a platform from 1 to 99."
        case .noProof: "A key or a password is needed. Sign the request, or give a password."
        case .incompleteProof: "A signed request has all of did, challenge and signature. Send all of them or none."
        case .otherName: "That is not the name of this account, so nothing was deleted. Type the account's own name."
        default: nil
        }
    }

    private var admissionSentence: String? {
        switch self {
        case .closed: "This hub takes no new accounts. Ask its operator."
        case .invitationNeeded:
            "This hub takes new accounts by invitation. Ask its operator for one, and give its code."
        case .invitationRefused:
            "This invitation is not known here: it was used, is over or was taken back. Check its code, or ask for another."
        case .nameTaken(let name): "The name \(name) is taken. Choose another one, or sign in if it is yours."
        case .keyTaken: "This device's key opens another account here. Sign in to that one."
        case .keyUnknown: "This device's key opens no account here. Sign in with a password, or make an account."
        case .proofRefused:
            "The signature does not hold, or its challenge is over or was for another hub. Ask for a new challenge and try again."
        case .wrongPassword: "The name or the password is wrong. Try again."
        case .suspended: "This account is suspended. Ask the hub's operator."
        case .refreshRefused: "This session is over. Sign in again."
        case .othersAccount: "That is another person's, and only its owner may do this."
        case .nameUnknown(let name):
            "Nobody at this hub is called \(name). Check the name, or ask the person for a link to them."
        case .findingOff: "People at this hub are not found by their names. Ask the person for a link to them."
        case .tooOften(let seconds): "That was tried too often. Wait \(seconds) s, then try again."
        case .busy: "Too many people sign in at the moment. Try again shortly."
        default: nil
        }
    }

    private var tokenSentence: String? {
        switch self {
        case .noToken: "No token came with the request. Sign in first."
        case .tokenMalformed: "The token cannot be read. Sign in again."
        case .tokenForged: "The token is not this hub's. Sign in again."
        case .tokenKeyUnknown: "The token was signed with a key that is not in use any more. Renew it."
        case .tokenExpired: "The token has expired. Renew it."
        case .tokenNotYetValid: "The token is not valid yet. Check this device's clock."
        case .sessionOver: "This session was ended. Sign in again."
        default: nil
        }
    }

    private var operatorSentence: String {
        switch self {
        case .noSuchAccount(let text): "No account here is called \(text). See: tandem hub users"
        case .noSuchDevice: "No such device has a session. See the list of devices."
        case .noSuchInvitation(let id): "No invitation is called \(id). See: tandem hub invitations"
        case .badInvitation(let uses, let days):
            "An invitation is good for \(uses.lowerBound) to \(uses.upperBound) people and \(days.lowerBound) to "
                + "\(days.upperBound) days. Choose within that."
        case .tooManyInvitations(let limit):
            "There are \(limit) open invitations. Take back those that are not needed: tandem hub invitations"
        case .badSetting(let text):
            "accounts is \(text), which is none of \(Admission.words). Set one of these in config.json."
        case .keysDamaged(let path):
            "\(path), the keys of access tokens, is damaged. Remove it: people's devices renew their tokens by themselves."
        default: "This hub cannot do that."
        }
    }
}
