import Commands
package import Kernel

/// Why the screen was not shown. The description is shown to the person.
package enum ScreenError: ClassifiedError, Hashable {
    case busy(limit: Int)
    case tooManyViews(limit: Int)
    /// - Parameter reason: A sentence for the person.
    case notLive(reason: String)
    case noSuchDisplay(Int, count: Int)

    package var facts: FailureFacts {
        switch self {
        case .busy, .tooManyViews: .code(FailureCode.busy)
        case .notLive: .code(FailureCode.unsupported)
        case .noSuchDisplay: .code(FailureCode.badParameters)
        }
    }

    package var description: String {
        switch self {
        case .busy(let limit):
            "\(limit) pictures of the computer's screen are being taken already. Ask again in a moment."
        case .tooManyViews(let limit):
            "Phones look at this computer's screen \(limit) times already. Close one of these views, and try again."
        case .notLive(let reason): reason
        case .noSuchDisplay(let id, let count):
            "The parameter displayId must be 0 to \(max(0, count - 1)) on this computer, not \(id)."
        }
    }
}
