public import Accounts
import Kernel

/// What a refusal means to a chat. Source: `docs/chat.md`, "Refusals".
extension IMErrorCode {
    /// Whether a new token, or signing in anew, is what helps.
    public var isAboutToken: Bool { (1501...1507).contains(rawValue) }

    var kind: FailureKind {
        switch self {
        case .badArguments, .badConnectionArguments: .badRequest
        case .noPermission, .blockedByPeer, .notPeersFriend: .notAllowed
        case .duplicateKey, .registeredAlready: .exists
        case .notFound, .userNotFound: .notFound
        case .uploadExpired, .gone: .expired
        case .insufficientStorage: .full
        case .internalError, .databaseError, .networkError, .dataError: .internal
        default: isAboutToken ? .signedOut : .refused
        }
    }

    var sentence: String {
        switch self {
        case .noPermission: "The chat server does not allow that to you."
        case .duplicateKey:
            "A message with this id was sent already, with another content. Send it as a new one."
        case .notFound: "The chat server does not know that message or conversation. Load the list again."
        case .userNotFound: "The chat server does not know that person. Check the name or the number."
        case .blockedByPeer: "The other person does not take messages from you."
        case .notPeersFriend: "The other person takes messages from contacts only. Ask to be added first."
        case .readReceiptsDisabled: "Read receipts are switched off."
        case .alreadyRevoked: "The message was recalled already."
        case .outdatedList:
            "A device was added or removed meanwhile, so the message was not stored. It is sealed anew and sent again."
        case .gone: "The photo was viewed already. Ask for a new one."
        case .tooManyRequests: "The chat server takes no more from you at the moment. Try again in a while."
        case .tooManyConnections: "Too many of your devices are connected to the chat server. Close it on one of them."
        case .uploadExpired: "The upload took too long. Start it again."
        case .insufficientStorage: "The chat server has no room left. Ask who runs it."
        case .internalError, .databaseError, .networkError, .dataError: "The chat server failed. Try again later."
        default:
            isAboutToken
                ? "You are not signed in to the chat server any more. Sign in again."
                : "The chat server refused with the number \(rawValue)."
        }
    }
}

extension IMEnvelope {
    /// The answer of an endpoint.
    ///
    /// - Throws: ``ChatError/refused(_:)``; what the answer throws when it is read.
    public func answer<Answer: ChatWire>(as type: Answer.Type) throws(ChatError) -> Answer {
        let data: JSONValue
        do throws(IMFailure) { data = try result() } catch { throw ChatError(error) }
        return try Answer(wire: data)
    }
}
