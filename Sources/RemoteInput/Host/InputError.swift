import Commands
package import Kernel

/// Why a phone does not control this computer. The description is shown to the person: what happened, then what to do.
package enum InputError: ClassifiedError, Hashable {
    /// - Parameter reason: A sentence that says what is missing, and what would bring it.
    case impossible(reason: String)
    /// - Parameter reason: A sentence that says what the person at the computer, or its desktop, answered.
    case declined(reason: String)
    case noSession
    /// The way of this control moves the pointer from where it is only.
    case noPlaces
    case outOfOrder(expected: Int64)
    case noSuchDisplay(Int)
    case failed(reason: String)

    package var facts: FailureFacts {
        switch self {
        case .impossible: .code(FailureCode.unsupported)
        case .declined: .code(FailureCode.busy)
        case .noSession: .code(FailureCode.badParameters, kind: .notFound)
        case .outOfOrder, .noPlaces, .noSuchDisplay: .code(FailureCode.badParameters)
        case .failed: .code(FailureCode.internalError)
        }
    }

    package var description: String {
        switch self {
        case .impossible(let reason), .declined(let reason): reason
        case .noSession: "This control of the computer has ended. Take control again."
        case .outOfOrder(let expected):
            "Events are missing: the next one is number \(expected). Take control again."
        case .noPlaces:
            "The computer's desktop moves the pointer from where it is only, and to no place. Move it step by step."
        case .noSuchDisplay(let id): "The computer has no display \(id). List its displays again."
        case .failed(let reason): "The computer's pointer and keyboard did not take it: \(reason)"
        }
    }
}
