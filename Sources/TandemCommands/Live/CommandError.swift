import Kernel

/// Why a command cannot do what was asked, or has nothing to show. The description is shown to the person.
enum CommandError: Error, Hashable, CustomStringConvertible {
    case empty(String)
    case unreadableAnswer
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case notThere(path: String)
    /// Part of what was asked for was left out; it was listed.
    case incomplete(skipped: Int)
    case tooMuchInput(limit: Int)
    case passwordsDiffer
    /// The input ended, or an empty line was given, where a password or a PIN is asked for. With the ways to give one.
    case nothingGiven(what: String, ways: String)
    /// The person was asked and said no.
    case declined
    /// The broken parts that `tandem doctor` found and Tandem cannot do without.
    case broken([String])
    case notEnded([String])
    /// A turn of an agent that was asked to stop.
    case turnStillRuns
    /// No person signed in on this phone.
    case noAccount
    /// A name that several people have; their ids.
    case severalPeople(String, [String])
    /// The beginning of a message's id that none has; nil where no message was named and none can be meant.
    case noSuchMessage(String?)
    case severalMessages(String)
    /// A message of this person's, why it failed, and the other person's id.
    case notSent(String, id: String, name: String)
    /// A view-once picture that nothing would show.
    case noPictureHere
    /// A message that is no view-once picture of theirs, or was opened.
    case notToBeOpened
    case lineTooLong(limit: Int)
    /// What a start of a phone's program could not put into place, in its own words.
    case nothingPutIntoPlace(String)
    /// A phone's program that was to start itself again was not there in time.
    case notStartedAgain
    /// Messages of a script that were not sent.
    case notAllSent(Int)

    var description: String {
        switch self {
        case .empty(let sentence): sentence
        case .nothingGiven(let what, let ways):
            "No \(what) was given, and nothing was done. Type it, or give it by \(ways)."
        case .passwordsDiffer: "The two passwords differ, and nothing was done. Type the command again."
        case .tooMuchInput(let limit): "More than \(limit) bytes came through stdin. Give it the code's text only."
        case .declined: "Nothing was changed."
        case .broken(let names): "Tandem cannot work here until this is mended: \(names.joined(separator: ", "))."
        case .notEnded(let ids):
            "Not there any more, or nothing that could be ended: \(ids.joined(separator: ", ")). "
                + "A right is taken back with: tandem devices deny"
        case .turnStillRuns:
            "It still runs. If another program at the computer is at work in it, stop it there."
        case .noAccount:
            "This phone has no account. Make one with: tandem account new HUB NAME, or sign in with: tandem account login HUB"
        case .severalPeople(let typed, let ids):
            "\(TerminalText.line(typed)) can be \(ids.joined(separator: " or ")). Say which: tandem chat contacts lists them."
        case .noSuchMessage(nil): "There is no such message among the newest. See them: tandem chat history NAME --ids"
        case .noSuchMessage(let id?):
            "No message's id begins with \(TerminalText.name(id)) among the newest. See them: tandem chat history NAME --ids"
        case .severalMessages(let id): "Several messages begin with \(TerminalText.name(id)). Give more of the id."
        case .notSent(let reason, let id, let name):
            "It was not sent. \(reason) Try again with: tandem chat resend \(name) \(TerminalText.name(id))"
        case .noPictureHere:
            "This terminal shows no pictures, and nothing was opened. Name a file for it: -o FILE"
        case .notToBeOpened: "That is no view-once picture of theirs, or it was opened already."
        case .lineTooLong(let limit):
            "A line has more than \(limit >> 10) KiB, and it and what follows was not sent. Send it in parts."
        case .nothingPutIntoPlace(let reason):
            "At the start of the phone's program nothing was changed: \(TerminalText.line(reason))"
        case .notStartedAgain:
            "The phone's program did not come back. Start it again; then look with: tandem migrate status"
        case .notAllSent(1): "One message was not sent: see above."
        case .notAllSent(let count): "\(count) messages were not sent: see above."
        case .unreadableAnswer: "The computer's answer could not be read. Update Tandem on both devices."
        case .cannotRead(let path, let reason): "\(path) could not be read: \(reason)."
        case .cannotWrite(let path, let reason): "\(path) could not be written: \(reason)."
        case .notThere(let path):
            "There is no \(TerminalText.name(path)) on the computer. Look around with: tandem files ls"
        case .incomplete(let skipped):
            skipped == 1
                ? "One of them was left out: see above." : "\(skipped) of them were left out: see above."
        }
    }
}
