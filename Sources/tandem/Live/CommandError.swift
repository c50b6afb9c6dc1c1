import Kernel

/// Why a command cannot do what was asked, or has nothing to show. The description is shown to the person.
enum CommandError: Error, CustomStringConvertible {
    case empty(String)
    case unreadableAnswer
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case notThere(path: String)
    /// Part of what was asked for was left out; it was listed.
    case incomplete(skipped: Int)
    case tooMuchInput(limit: Int)

    var description: String {
        switch self {
        case .empty(let sentence): sentence
        case .tooMuchInput(let limit): "More than \(limit) bytes came through stdin. Give it the code's text only."
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
