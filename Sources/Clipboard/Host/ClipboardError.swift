import Commands
import Kernel

/// Why the clipboard could not be given or set. The description is shown to the person.
enum ClipboardError: ClassifiedError, Hashable {
    case textTooLarge(limit: Int)
    case imageTooLarge(limit: Int)
    case doesNotFit(bytes: Int)
    case tooManyWatchers(limit: Int)

    var facts: FailureFacts {
        switch self {
        case .textTooLarge, .imageTooLarge, .doesNotFit: .code(FailureCode.quota)
        case .tooManyWatchers: .code(FailureCode.busy)
        }
    }

    var description: String {
        switch self {
        case .textTooLarge(let limit):
            "The text on the computer's clipboard is larger than \(limit >> 10) KiB. Copy a smaller part of it."
        case .imageTooLarge(let limit):
            "The image on the computer's clipboard is larger than \(limit >> 20) MiB. Save it to a file and fetch that."
        case .doesNotFit(let bytes):
            "What is on the computer's clipboard takes \(bytes) bytes, more than one answer holds. Copy a smaller part."
        case .tooManyWatchers(let limit):
            "\(limit) devices watch the computer's clipboard already. End one of them first."
        }
    }
}
