/// Why a command got no result. The description is shown to the person.
public enum RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request was sent and may have been done: a repeat under its id is the same request.
    case timeout(id: String, method: String, after: Duration)
    /// The session to the computer is closed, or none could be made.
    case notConnected
    /// Nothing carried the request to the computer.
    case allTransportsFailed(lastError: String)
    /// The computer does not know this phone any more.
    case notPaired
    /// There was an answer, and it lacks what the method promises.
    case malformedResult
    /// Counted in bytes. The computer was told to stop sending it.
    case resultTooLarge(bytes: Int, limit: Int)
    /// The caller's own mistake; nothing was sent.
    case invalidArgument(String)
    /// An envelope that arrived is no request; the text names what does not fit.
    case invalidRequest(String)
    /// So many calls to one computer have no answer yet; nothing was sent.
    case tooManyWaiting(limit: Int)

    public var description: String {
        switch self {
        case .timeout(_, let method, let limit):
            """
            The computer did not answer \(method) within \(Self.seconds(limit)) s. Check that it is on and connected, \
            then try again.
            """
        case .notConnected:
            "There is no connection to the computer. Check that it is on and that both have a network."
        case .allTransportsFailed(let reason):
            "The request could not be sent: \(reason)"
        case .notPaired:
            "The computer does not know this phone any more. Pair again with: tandem pair scan"
        case .malformedResult:
            "The computer's answer could not be read. Update Tandem on both devices."
        case .resultTooLarge(let bytes, let limit):
            "The answer is \(bytes) bytes; \(limit) are taken at most. Ask for a part of it."
        case .invalidArgument(let reason):
            "The call was not sent: \(Self.sentence(reason))"
        case .invalidRequest(let reason):
            "The request is not valid: \(Self.sentence(reason))"
        case .tooManyWaiting(let limit):
            "\(limit) commands wait for an answer already. Wait for some of them."
        }
    }

    /// To the next whole one: what is left of a limit has many digits.
    private static func seconds(_ limit: Duration) -> Int64 {
        limit.components.seconds + (limit.components.attoseconds > 0 ? 1 : 0)
    }

    /// A reason is a part of a sentence, or another error's whole one, which has its full stop.
    private static func sentence(_ reason: String) -> String { reason.hasSuffix(".") ? reason : reason + "." }
}
