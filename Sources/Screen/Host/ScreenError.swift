import Commands
import Kernel

/// Why the screen was not shown. The description is shown to the person.
enum ScreenError: ClassifiedError, Hashable {
    case busy(limit: Int)
    case noSuchDisplay(Int, count: Int)

    var facts: FailureFacts {
        switch self {
        case .busy: .code(FailureCode.busy)
        case .noSuchDisplay: .code(FailureCode.badParameters)
        }
    }

    var description: String {
        switch self {
        case .busy(let limit):
            "\(limit) pictures of the computer's screen are being taken already. Ask again in a moment."
        case .noSuchDisplay(let id, let count):
            "The parameter displayId must be 0 to \(max(0, count - 1)) on this computer, not \(id)."
        }
    }
}
