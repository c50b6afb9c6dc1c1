import Commands
package import Kernel

/// Why the system's state could not be told. The description is shown to the person.
package enum SystemError: Error, Hashable, Sendable, CustomStringConvertible, ClassifiedError {
    /// - Parameter source: For example `/proc/meminfo`.
    case unreadable(source: String)

    package var facts: FailureFacts { .code(FailureCode.unsupported) }

    package var description: String {
        switch self {
        case .unreadable(let source):
            "The computer does not tell this: \(source) cannot be read there, or says something unknown."
        }
    }
}
