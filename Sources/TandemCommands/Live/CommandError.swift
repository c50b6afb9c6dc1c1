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
    /// The person was asked and said no.
    case declined
    /// The broken parts that `tandem doctor` found and Tandem cannot do without.
    case broken([String])
    case notEnded([String])
    /// A turn of an agent that was asked to stop.
    case turnStillRuns

    var description: String {
        switch self {
        case .empty(let sentence): sentence
        case .passwordsDiffer: "The two passwords differ, and nothing was done. Type the command again."
        case .tooMuchInput(let limit): "More than \(limit) bytes came through stdin. Give it the code's text only."
        case .declined: "Nothing was changed."
        case .broken(let names): "Tandem cannot work here until this is mended: \(names.joined(separator: ", "))."
        case .notEnded(let ids):
            "Not there any more, or nothing that could be ended: \(ids.joined(separator: ", ")). "
                + "A right is taken back with: tandem devices deny"
        case .turnStillRuns:
            "It still runs. If another program at the computer is at work in it, stop it there."
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
