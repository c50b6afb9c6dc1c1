import Kernel

/// The number with which existing servers refuse: an open set. Source: `docs/chat.md`, "Refusals".
public struct OpenIMErrorCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let none = OpenIMErrorCode(rawValue: 0)
    public static let `internal` = OpenIMErrorCode(rawValue: 500)
    public static let arguments = OpenIMErrorCode(rawValue: 1001)
    public static let noPermission = OpenIMErrorCode(rawValue: 1002)
    /// A repeated id with another content, too.
    public static let duplicate = OpenIMErrorCode(rawValue: 1003)
    public static let notFound = OpenIMErrorCode(rawValue: 1004)
    public static let noUser = OpenIMErrorCode(rawValue: 1101)
    public static let registered = OpenIMErrorCode(rawValue: 1102)
    public static let blocked = OpenIMErrorCode(rawValue: 1302)
    public static let notFriends = OpenIMErrorCode(rawValue: 1303)
    public static let receiptsOff = OpenIMErrorCode(rawValue: 1401)
    public static let alreadyRevoked = OpenIMErrorCode(rawValue: 1404)
    public static let tokenExpired = OpenIMErrorCode(rawValue: 1501)
    public static let tokenInvalid = OpenIMErrorCode(rawValue: 1502)
    public static let tokenMalformed = OpenIMErrorCode(rawValue: 1503)
    public static let tokenNotYetValid = OpenIMErrorCode(rawValue: 1504)
    public static let tokenUnknown = OpenIMErrorCode(rawValue: 1505)
    public static let tokenKicked = OpenIMErrorCode(rawValue: 1506)
    public static let tokenMissing = OpenIMErrorCode(rawValue: 1507)
    public static let tooManyConnections = OpenIMErrorCode(rawValue: 1601)
    public static let connectionArguments = OpenIMErrorCode(rawValue: 1602)
    public static let uploadExpired = OpenIMErrorCode(rawValue: 1701)
    public static let callback = OpenIMErrorCode(rawValue: 80000)
    public static let database = OpenIMErrorCode(rawValue: 90002)
    public static let network = OpenIMErrorCode(rawValue: 90004)
    public static let data = OpenIMErrorCode(rawValue: 90007)

    /// Whether a new token, or signing in anew, is what helps.
    public var isAboutToken: Bool { (1501...1507).contains(rawValue) }

    var kind: FailureKind {
        switch self {
        case .arguments, .connectionArguments: .badRequest
        case .noPermission, .blocked, .notFriends: .notAllowed
        case .duplicate, .registered: .exists
        case .notFound, .noUser: .notFound
        case .uploadExpired: .expired
        case .internal, .database, .network, .data: .internal
        default: isAboutToken ? .signedOut : .refused
        }
    }

    var sentence: String {
        switch self {
        case .noPermission: "The chat server does not allow that to you."
        case .duplicate: "A message with this id was sent already, with another content. Send it as a new one."
        case .notFound: "The chat server does not know that message or conversation. Load the list again."
        case .noUser: "The chat server does not know that person. Check the name or the number."
        case .blocked: "The other person does not take messages from you."
        case .notFriends: "The other person takes messages from contacts only. Ask to be added first."
        case .receiptsOff: "Read receipts are switched off."
        case .alreadyRevoked: "The message was recalled already."
        case .tooManyConnections: "Too many of your devices are connected to the chat server. Close it on one of them."
        case .uploadExpired: "The upload took too long. Start it again."
        case .internal, .database, .network, .data: "The chat server failed. Try again later."
        default:
            isAboutToken
                ? "You are not signed in to the chat server any more. Sign in again."
                : "The chat server refused with the number \(rawValue)."
        }
    }
}
