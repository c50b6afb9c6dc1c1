import Commands

/// The meaning of an error for a command that was sent.
enum DeliveryFailure: Hashable {
    /// Trying again would fail again.
    case final(String)
    /// The computer answered that it was not done; another time it may be. Another request: this one has its answer.
    case refused(String)
    /// There was an answer and it could not be read: perhaps it was done.
    case unreadable(String)
    /// There was no answer, or one that says that the computer did not look at it yet: perhaps it was done, perhaps it never
    /// arrived. Not a try.
    case unanswered(String)

    private static let finalCodes: Set<Int> = [
        FailureCode.unknownMethod, FailureCode.badParameters, FailureCode.invalidRequest,
        FailureCode.notPaired, FailureCode.notAllowed, FailureCode.unsupported,
        // It may have been done halfway: only the person can look.
        FailureCode.outcomeUnknown,
    ]

    /// - Parameter isRepeatable: Doing it twice is as good as once, so that a computer which does not know how far it came may be asked anew.
    init(_ error: any Error, isRepeatable: Bool) {
        let message = "\(error)"
        switch error {
        case let failure as RemoteFailure where failure.code == FailureCode.tooMany: self = .unanswered(message)
        case let failure as RemoteFailure where failure.code == FailureCode.outcomeUnknown && isRepeatable:
            self = .refused(message)
        case let failure as RemoteFailure:
            self = Self.finalCodes.contains(failure.code) ? .final(message) : .refused(message)
        case RemoteError.invalidArgument, RemoteError.invalidRequest: self = .final(message)
        case RemoteError.malformedResult, RemoteError.resultTooLarge: self = .unreadable(message)
        // A carrier's error says that it did not carry the command.
        default: self = .unanswered(message)
        }
    }
}
