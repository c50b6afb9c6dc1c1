import Glibc

/// Why nothing was measured. The description is shown to the person: what happened, then what to do.
enum FloodError: Error, Hashable, CustomStringConvertible {
    case cannotStart(role: String, reason: String)
    case programEnded(role: String)
    case notPaired(reason: String)
    case wrongPath(expected: String, actual: String)
    case tooFewFiles(needed: Int, granted: Int)
    case noAnswer(what: String)
    case refused(what: String, answer: String)
    case system(call: String, reason: String)

    static func system(_ call: String) -> FloodError { .system(call: call, reason: String(cString: strerror(errno))) }

    var description: String {
        switch self {
        case .cannotStart(let role, let reason): "The \(role) did not start: \(reason) Run it by hand to see why not."
        case .programEnded(let role): "The \(role) ended before it was measured. Look at its log, with --keep."
        case .notPaired(let reason): "The phone and the computer could not be paired: \(reason)"
        case .wrongPath(let expected, let actual):
            "The phone must reach the computer over the path \(expected), and it uses \(actual). Look at the logs, with --keep."
        case .tooFewFiles(let needed, let granted):
            "\(needed) open files are needed and \(granted) are granted. Raise the hard limit: ulimit -Hn."
        case .noAnswer(let what): "\(what) did not answer in time."
        case .refused(let what, let answer): "\(what) was refused: \(answer)"
        case .system(let call, let reason): "\(call) failed: \(reason)."
        }
    }
}
