import Commands
public import Kernel

/// Calls a method of the computer: ``RemoteCommandClient/invoke(_:_:timeout:)``, or what stands in for it.
public typealias TerminalInvoke = @Sendable (_ method: String, _ params: JSONValue) async throws -> JSONValue

extension RemoteError {
    /// The link is gone or slow: the same call may work later.
    static func isPassing(_ error: any Error) -> Bool {
        if (error as? any AbsenceError)?.isAbsence == true { return true }
        return switch error as? RemoteError {
        case .timeout, .notConnected, .allTransportsFailed, .tooManyWaiting: true
        case .notPaired, .malformedResult, .resultTooLarge, .invalidArgument, .invalidRequest, nil: false
        }
    }
}
