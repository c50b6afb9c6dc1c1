public import Accounts
public import Kernel

/// Why something about a chat was not done. The description is shown to the person: what happened, then what to do.
public enum ChatError: ClassifiedError, Hashable {
    /// What came from the other side lacks something, or has it in a form that cannot be read.
    ///
    /// - Parameter what: The member or the thing, for example `recvID`; never its value.
    case malformed(_ what: String)
    /// A text or a body goes over its limit, in bytes of UTF-8 or of the file.
    case tooLong(_ what: String, limit: Int)
    /// A list goes over its limit.
    case tooMany(_ what: String, limit: Int)
    /// A message without anything to say.
    case blank
    /// A conversation in which the person has no part, or one with oneself.
    case notYours
    /// No such message in this conversation.
    case unknownMessage
    /// A change of a message's state that does not exist, such as sending again what was sent.
    case illegalStatus(from: MessageStatus, to: MessageStatus)
    /// Only an own message that was not yet recalled can be recalled.
    case notRecallable
    /// A photo that burns was viewed already, or was recalled.
    case flashGone
    /// An object's key that could leave the media folder, or is too long for a file's name.
    case badObjectKey
    /// Photos that burn are never kept.
    case neverCached
    /// Nobody is signed in to this part, so there is no place for files.
    case noAccount
    /// The queue was ended with its account.
    case queueEnded
    case queueFull(limit: Int)
    /// The server does not answer, or says that it cannot at the moment.
    case unreachable
    case timedOut(after: Duration)
    /// The server answered for another message than the one that was sent.
    case wrongAnswer
    /// The server refuses. Source of the codes: ``IMErrorCode``.
    case refused(IMErrorCode)

    public var facts: FailureFacts {
        switch self {
        case .malformed: .kind(.badRequest, reason: "malformed")
        case .tooLong(let what, let limit):
            .kind(.tooLarge, reason: "tooLong", ["what": .string(what), "limit": .integer(Int64(limit))])
        case .tooMany(let what, let limit):
            .kind(.tooLarge, reason: "tooMany", ["what": .string(what), "limit": .integer(Int64(limit))])
        case .blank: .kind(.badRequest, reason: "blank")
        case .notYours: .kind(.notAllowed, reason: "notYours")
        case .unknownMessage: .kind(.notFound, reason: "unknownMessage")
        case .illegalStatus: .kind(.refused, reason: "illegalStatus")
        case .notRecallable: .kind(.refused, reason: "notRecallable")
        case .flashGone: .kind(.expired, reason: "flashGone")
        case .badObjectKey: .kind(.badRequest, reason: "badObjectKey")
        case .neverCached: .kind(.refused, reason: "neverCached")
        case .noAccount: .kind(.signedOut, reason: "noAccount")
        case .queueEnded: .kind(.cancelled, reason: "queueEnded")
        case .queueFull(let limit): .kind(.full, reason: "queueFull", ["limit": .integer(Int64(limit))])
        case .unreachable: .kind(.offline, reason: "unreachable")
        case .timedOut: .kind(.away, reason: "timedOut")
        case .wrongAnswer: .kind(.internal, reason: "wrongAnswer")
        case .refused(let code): .kind(code.kind, reason: "refused", ["code": .integer(Int64(code.rawValue))])
        }
    }

    public var description: String {
        switch self {
        case .malformed(let what): "What came is not readable: \(what) is missing or wrong. Update both programs."
        case .tooLong(let what, let limit): "\(what) is longer than \(limit) bytes. Make it shorter."
        case .tooMany(let what, let limit): "There are more than \(limit) of \(what) at once. Send them in parts."
        case .blank: "There is nothing to send. Write something first."
        case .notYours: "That conversation is not one of yours. Choose one from the list."
        case .unknownMessage: "That message is not in this conversation. Load the conversation again."
        case .illegalStatus(let from, let to):
            "The message is \(from.rawValue) and cannot become \(to.rawValue). Wait until its sending has ended."
        case .notRecallable: "Only an own message that was sent and not yet recalled can be recalled."
        case .flashGone: "The photo was viewed already, or recalled. Ask for a new one."
        case .badObjectKey: "The name of a picture or a voice note is not one of ours, so it was not stored."
        case .neverCached: "A photo that burns is not kept on this device. Open it from the conversation."
        case .noAccount: "Nobody is signed in to chat on this device. Sign in first."
        case .queueEnded: "You were signed out, so the message was not sent. Sign in and send it again."
        case .queueFull(let limit): "\(limit) messages wait to be sent already. Try again when some of them are sent."
        case .unreachable: "The chat server does not answer. Check the network; the message is tried again."
        case .timedOut(let duration): "The chat server gave no answer within \(duration). Try again."
        case .wrongAnswer:
            "The chat server answered for another message, so this one counts as not sent. Send it again."
        case .refused(let code): code.sentence
        }
    }

    /// Whether the same attempt may work later: nothing answered. A refusal is no such error.
    public var isTransport: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }
}
