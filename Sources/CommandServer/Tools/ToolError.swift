import Capabilities
import Commands
package import Kernel

/// Why a program of this computer could not do its part. The description is shown to the person: what happened, then what
/// to do.
package enum ToolError: Error, Hashable, Sendable, CustomStringConvertible, ClassifiedError, DoctorFailure {
    /// - Parameter purpose: What needs the session, for example "The clipboard".
    case noSession(purpose: String)
    case missing(tool: String, package: String)
    case failed(tool: String, reason: String)
    case timedOut(tool: String, after: Duration)
    case outputTooLarge(tool: String, limit: Int)
    /// - Parameters:
    ///   - service: What has to run, for example "systemd".
    ///   - purpose: What needs it, for example "The list of services".
    case notRunning(service: String, purpose: String)
    /// - Parameter purpose: What cannot be done, for example "Images on the clipboard".
    case unsupported(purpose: String)

    package var facts: FailureFacts {
        switch self {
        case .noSession, .missing, .notRunning, .unsupported: .code(FailureCode.unsupported)
        case .outputTooLarge: .code(FailureCode.quota)
        case .failed, .timedOut: .code(FailureCode.internalError)
        }
    }

    /// A command that the person at the computer can type against it.
    package var mend: String? {
        switch self {
        case .missing(_, let package): "sudo apt install \(package)"
        case .noSession, .failed, .timedOut, .outputTooLarge, .notRunning, .unsupported: nil
        }
    }

    /// The case, for a page that says it in its own language: see ``DoctorCheck/reason``.
    package var reason: String {
        switch self {
        case .noSession: "toolNoSession"
        case .missing: "toolMissing"
        case .failed: "toolFailed"
        case .timedOut: "toolTimedOut"
        case .outputTooLarge: "toolOutputTooLarge"
        case .notRunning: "toolNotRunning"
        case .unsupported: "toolUnsupported"
        }
    }

    /// Values for a sentence about it.
    package var values: [String: JSONValue] {
        switch self {
        case .noSession, .unsupported: [:]
        case .missing(let tool, let package): ["tool": .string(tool), "package": .string(package)]
        case .failed(let tool, let reason): ["tool": .string(tool), "reason": .string(reason)]
        case .timedOut(let tool, let limit): ["tool": .string(tool), "seconds": .integer(limit.components.seconds)]
        case .outputTooLarge(let tool, let limit): ["tool": .string(tool), "bytes": .integer(Int64(limit))]
        case .notRunning(let service, _): ["service": .string(service)]
        }
    }

    package var description: String {
        switch self {
        case .noSession(let purpose):
            """
            \(purpose) needs a graphical session on the computer, and neither WAYLAND_DISPLAY nor DISPLAY is set there. \
            Start Tandem from inside the session.
            """
        case .missing(let tool, let package):
            "The computer lacks the program \(tool). Install it there: sudo apt install \(package)."
        case .failed(let tool, let reason):
            "\(tool) failed on the computer: \(reason). See tandem doctor there."
        case .timedOut(let tool, let limit):
            "\(tool) did not answer on the computer within \(limit). Try again."
        case .outputTooLarge(let tool, let limit):
            "\(tool) gave more than \(limit) bytes on the computer. Ask for less."
        case .notRunning(let service, let purpose):
            "\(purpose) needs \(service), which does not run on the computer."
        case .unsupported(let purpose):
            "\(purpose) cannot be used on this computer."
        }
    }
}
