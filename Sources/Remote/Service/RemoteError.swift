/// Why a command got no result. The description is shown to the person.
public enum RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request was sent and may have been done: a repeat under its id is the same request.
    case timeout(id: String, method: String, after: Duration)
    case notConnected
    /// Nothing carried the request to the computer.
    case allTransportsFailed(lastError: String)
    /// The computer does not know this phone any more.
    case notPaired
    case malformedResult
    case resultTooLarge(bytes: Int, limit: Int)
    /// The caller's own mistake; nothing was sent.
    case invalidArgument(String)
    case invalidRequest(String)
    case tooManyWaiting(limit: Int)

    /// JSON-RPC's codes as existing programs use them. Source: `docs/protocol.md`, "Command envelopes".
    public static let invalidRequestCode = -32600
    public static let unknownMethodCode = -32601
    public static let badParametersCode = -32602
    public static let internalCode = -32603
    /// The asker's proof was refused: a signature, a date or a nonce.
    public static let notProvenCode = -32001
    public static let cancelledCode = -32002
    public static let tooManyCode = -32003
    public static let busyCode = -32005
    public static let unsupportedCode = -32006
    public static let notPairedCode = -32008
    public static let notAllowedCode = -32010
    /// Ours: a durable command began before the desktop stopped, and nobody knows how far it came. Never try it again unasked.
    public static let outcomeUnknownCode = -32011

    public var description: String {
        switch self {
        case .timeout(_, let method, let limit):
            "The computer did not answer \(method) within \(limit). Check that it is on and connected, then try again."
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
            "The call was not sent: \(reason)."
        case .invalidRequest(let reason):
            "The request is not valid: \(reason)."
        case .tooManyWaiting(let limit):
            "\(limit) commands wait for an answer already. Wait for some of them."
        }
    }
}
