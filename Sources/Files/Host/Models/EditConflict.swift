import Commands
import Kernel

/// Why what somebody made of a file does not take its place. The description is shown to the person.
enum EditConflict: ClassifiedError, Hashable, CustomStringConvertible {
    /// It holds something else by now.
    case changed(String)
    /// It was moved or removed.
    case gone(String)

    var facts: FailureFacts {
        switch self {
        case .changed, .gone: .code(FailureCode.sourceChanged)
        }
    }

    var description: String {
        switch self {
        case .changed(let path):
            "\(path) was changed by somebody else meanwhile, and was left as it is. Look at it, then replace it or save under another name."
        case .gone(let path):
            "\(path) is not there any more: it was moved or removed meanwhile. Save under another name, or write it anew."
        }
    }
}
