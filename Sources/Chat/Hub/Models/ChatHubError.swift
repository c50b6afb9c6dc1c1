package import Accounts
import AccountsHub
package import Kernel

/// Why the hub does not do what a person asked of its conversations. The description is shown to the person: what happened, then what to do.
package enum ChatHubError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A parameter that makes no sense, by its name.
    case malformed(String)
    /// Bytes.
    case tooLarge(limit: Int)
    case notMember
    /// Somebody else's message.
    case notYours
    /// Seconds.
    case recallWindowOver(Int)
    case requestPending
    case requestNeedsText
    case duplicateID
    case notFound
    case personUnknown
    case blockedByPeer
    case receiptsOff
    case alreadyRecalled
    case alreadyViewed
    case viewOnce
    /// An object that the sender did not upload, or not for this use.
    case unknownObject
    /// Milliseconds to wait.
    case tooFast(milliseconds: Int64)
    /// Milliseconds to wait, for requests that are no messages.
    case tooOften(milliseconds: Int64)
    case tooManyStrangers
    case exportUnderWay
    case limitReached(Int)
    /// A list of devices or a chat key whose form or signature is wrong.
    case notSigned
    /// An entry that does not follow on the newest one.
    case notContinuation
    /// A chat key, and there is no list of devices that its own could be added to.
    case unlistedDevice
    /// A sealed message names other lists than these, the newest ones.
    case outdatedLists(ListNumbers)

    package var description: String {
        switch self {
        case .malformed(let name): "The hub cannot read \(name). Update the program that sent it, then try again."
        case .tooLarge(let limit):
            "This is larger than the \(ByteSize(Int64(limit))) that the hub takes. Shorten it, or send it in parts."
        case .notMember: "You do not take part in this conversation, so the hub shows and changes nothing of it."
        case .notYours: "Only who wrote a message can take it back. Delete it for yourself instead."
        case .recallWindowOver(let seconds):
            "A message can be taken back for \(seconds) seconds after it was sent. Delete it for yourself instead."
        case .requestPending:
            "Your first message waits for an answer. You can write more once the other person accepts it."
        case .requestNeedsText:
            "A first message to somebody new is text alone. Send pictures once the other person answers."
        case .duplicateID:
            "Another message was sent under this id already, so this one was not stored. Send it as a new message."
        case .notFound: "The hub has no such message here. Load the conversation anew."
        case .personUnknown: "This account does not exist at this hub, or was deleted. Check who you write to."
        case .blockedByPeer: "This person does not take messages from you, so the message was not stored."
        case .receiptsOff: "Read receipts are switched off at this hub. Ask who runs it to switch them on."
        case .alreadyRecalled: "This message was taken back already. There is nothing more to do."
        case .alreadyViewed: "This picture could be seen once, and is gone. Ask for it again."
        case .viewOnce: "A view-once picture has no address of its own. Open it in its conversation."
        case .unknownObject: "The message refers to a file that you did not upload for it. Send the file again."
        case .tooFast(let milliseconds):
            "You send faster than the hub takes messages. Try again in \((milliseconds + 999) / 1000) seconds."
        case .tooOften(let milliseconds):
            "Your devices ask faster than the hub answers. Try again in \((milliseconds + 999) / 1000) seconds."
        case .tooManyStrangers: "You wrote to many new people in a short time. Try again in an hour."
        case .exportUnderWay:
            "The hub writes an export of yours, or several of others, already. Wait until it has ended."
        case .limitReached(let limit): "The hub keeps at most \(limit) of these for a person. Remove some first."
        case .notSigned:
            "The list of devices or the key is not signed as it has to be. Update the program that sent it, then try again."
        case .notContinuation:
            "Another device changed the list of devices first, so this change was not stored. Load the list, then try again."
        case .unlistedDevice: "This device is not in the account's list of devices. Add it from one that is."
        case .outdatedLists:
            "A device was added or removed meanwhile, so the message was not stored. Load the lists, seal it anew, and send it again."
        }
    }
}

extension ChatHubError: IMClassifiedError {
    package var imCode: IMErrorCode {
        switch self {
        case .malformed, .tooLarge, .limitReached, .notSigned: .badArguments
        case .unlistedDevice, .notMember, .notYours, .recallWindowOver, .requestPending, .requestNeedsText, .viewOnce:
            .noPermission
        case .duplicateID, .notContinuation: .duplicateKey
        case .outdatedLists: .outdatedList
        case .notFound, .unknownObject: .notFound
        case .personUnknown: .userNotFound
        case .blockedByPeer: .blockedByPeer
        case .receiptsOff: .readReceiptsDisabled
        case .alreadyRecalled: .alreadyRevoked
        case .alreadyViewed: .gone
        case .tooFast, .tooOften, .tooManyStrangers, .exportUnderWay: .tooManyRequests
        }
    }

    package var data: JSONValue? {
        guard case .outdatedLists(let numbers) = self else { return nil }
        return ["list": [.integer(numbers.sender), .integer(numbers.receiver)]]
    }

    package var retryAfter: Int? {
        switch self {
        case .tooFast(let milliseconds), .tooOften(let milliseconds): Int((milliseconds + 999) / 1000)
        case .tooManyStrangers: 3600
        case .exportUnderWay: 10
        default: nil
        }
    }
}
