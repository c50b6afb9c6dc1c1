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
    /// A link to a person of another hub.
    ///
    /// - Parameter hub: As the link names it, at most 255 bytes.
    case otherHub(_ hub: String)
    /// No keys are here that could be compared or agreed to.
    case notSealed
    /// A folder that an export would mix with what it holds.
    case folderInUse(_ path: String)
    /// A file or a folder that cannot be written.
    case notWritten(_ path: String)
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
    /// The other person's list of devices began anew, and nobody agreed to that yet.
    case keysBeganAnew
    /// A list of devices is not a continuation of the one that was seen.
    case keysForked
    /// A conversation that was sealed could go on in the clear alone.
    case onlyClear
    /// This device is not in the account's list of devices.
    case deviceNotAdded
    /// No such device of the account, or the words are another key's.
    case notThatDevice
    /// There is nothing that a person could agree to or compare.
    case nothingToAgree
    /// This device read no sealed message that it could hand to another one.
    case nothingToHandOver
    /// What another device of the account handed over is not what it said, or none of the list's devices did.
    case handoverUnreadable
    /// The key that a message was sealed for is deleted.
    case keyGone
    /// The server refuses. Source of the codes: ``IMErrorCode``.
    ///
    /// - Parameter hub: What the server itself says to the person, as ``hubSentence(_:)`` leaves it; nil where it says the code alone.
    case refused(IMErrorCode, hub: String? = nil)
    /// The server is there and has no chat: a hub of an older version, or another program.
    case noChat
    /// The server's address leads elsewhere, where nothing is sent.
    case redirected
    /// The asker ended the request itself.
    case cancelled
    /// A file that is no picture that can be sent.
    case notAPicture
    /// A file that is no recording that can be sent.
    case notARecording
    /// A recording goes on for longer than ``ChatLimits/voiceSeconds``.
    case recordingTooLong
    /// A file that was chosen cannot be read.
    ///
    /// - Parameter name: As the person named it.
    case unreadableFile(_ name: String)
    /// A file that a page handed in was used already, or its hour is over.
    case attachmentGone

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
        case .otherHub(let hub): .kind(.badRequest, reason: "otherHub", ["hub": .string(hub)])
        case .notSealed: .kind(.refused, reason: "notSealed")
        case .folderInUse(let path): .kind(.exists, reason: "folderInUse", ["path": .string(path)])
        case .notWritten(let path): .kind(.badRequest, reason: "notWritten", ["path": .string(path)])
        case .noAccount: .kind(.signedOut, reason: "noAccount")
        case .queueEnded: .kind(.cancelled, reason: "queueEnded")
        case .queueFull(let limit): .kind(.full, reason: "queueFull", ["limit": .integer(Int64(limit))])
        case .unreachable: .kind(.offline, reason: "unreachable")
        case .timedOut: .kind(.away, reason: "timedOut")
        case .wrongAnswer: .kind(.internal, reason: "wrongAnswer")
        case .keysBeganAnew: .kind(.refused, reason: "keysBeganAnew")
        case .keysForked: .kind(.refused, reason: "keysForked")
        case .onlyClear: .kind(.refused, reason: "onlyClear")
        case .deviceNotAdded: .kind(.notAllowed, reason: "deviceNotAdded")
        case .notThatDevice: .kind(.notFound, reason: "notThatDevice")
        case .nothingToAgree: .kind(.badRequest, reason: "nothingToAgree")
        case .nothingToHandOver: .kind(.notFound, reason: "nothingToHandOver")
        case .handoverUnreadable: .kind(.refused, reason: "handoverUnreadable")
        case .keyGone: .kind(.expired, reason: "keyGone")
        case .refused(let code, let hub):
            .kind(
                code.kind,
                reason: "refused",
                ["code": .integer(Int64(code.rawValue))].merging(hub.map { ["hub": .string($0)] } ?? [:]) { $1 }
            )
        case .noChat: .kind(.refused, reason: "noChat")
        case .redirected: .kind(.refused, reason: "redirected")
        case .cancelled: .kind(.cancelled, reason: "cancelled")
        case .notAPicture: .kind(.badRequest, reason: "notAPicture")
        case .notARecording: .kind(.badRequest, reason: "notARecording")
        case .recordingTooLong: .kind(.tooLarge, reason: "recordingTooLong")
        case .unreadableFile(let name): .kind(.notFound, reason: "unreadableFile", ["name": .string(name)])
        case .attachmentGone: .kind(.expired, reason: "attachmentGone")
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
        case .otherHub(let hub):
            "That person has an account at another hub, \(hub). Only people of one hub write to each other."
        case .notSealed: "This conversation is not sealed, so there is nothing to compare or to agree to."
        case .folderInUse(let path): "\(path) holds something already. Name a new folder, or empty that one first."
        case .notWritten(let path): "\(path) cannot be written. Look at its permissions and its disk."
        case .noAccount: "Nobody is signed in to chat on this device. Sign in first."
        case .queueEnded: "You were signed out, so the message was not sent. Sign in and send it again."
        case .queueFull(let limit): "\(limit) messages wait to be sent already. Try again when some of them are sent."
        case .unreachable: "The chat server does not answer. Check the network; the message is tried again."
        case .timedOut(let duration): "The chat server gave no answer within \(duration). Try again."
        case .wrongAnswer:
            "The chat server answered for another message, so this one counts as not sent. Send it again."
        case .keysBeganAnew:
            "The other person's devices began anew. Compare the safety number with them, then agree and send it again."
        case .keysForked:
            "The hub shows other devices of a person than before. Compare the safety number with them, then agree and send it again."
        case .onlyClear:
            "This could be sent in the clear alone, although the conversation was sealed. Agree to that, or wait until the other person's device is back."
        case .deviceNotAdded: "This device reads no sealed messages yet. Add it from a device of yours that does."
        case .notThatDevice:
            "No such device of yours waits, or the words are another key's. Compare them on both screens."
        case .nothingToAgree: "There is nothing to agree to or to compare here. Load the conversation again."
        case .nothingToHandOver:
            "This device has read no sealed messages yet, so there is no history to hand over. Do it from a device that has."
        case .handoverUnreadable:
            "The history that another device of yours handed over cannot be read, so nothing more of it was taken. Hand it over again there."
        case .keyGone: "The message is older than the keys that this device keeps. Read it on another device."
        case .refused(let code, let hub): code.sentence + (hub.map { " The hub says: \($0)" } ?? "")
        case .noChat: "This hub has no chat. Ask who runs it to update it, or use another hub."
        case .redirected:
            "The hub's address leads elsewhere, so nothing was sent. Ask who runs the hub for its own address."
        case .cancelled: "The request was ended on this device before it was answered. Try again."
        case .notAPicture: "The file is no picture that can be sent. Choose a JPEG, PNG, GIF, WebP, HEIC or AVIF."
        case .notARecording: "The file is no recording that can be sent. Choose Opus in Ogg or WebM, M4A or WAV."
        case .recordingTooLong: "A voice note is at most \(ChatLimits.voiceSeconds) seconds long. Record a shorter one."
        case .unreadableFile(let name): "\(name) cannot be read. Check that the file is there and yours."
        case .attachmentGone: "The file waited for too long, or was sent already. Choose it again."
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
