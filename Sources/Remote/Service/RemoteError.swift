/// Why a command got no result. The description is shown to the person.
public enum RemoteError: Error, Hashable, Sendable, CustomStringConvertible {
    case timeout(method: String, after: Duration)
    case notConnected
    case malformedResult
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
    public static let unsupportedCode = -32006
    public static let notPairedCode = -32008
    public static let notAllowedCode = -32010
    /// Ours: a durable command began before the desktop stopped, and nobody knows how far it came. Never try it again unasked.
    public static let outcomeUnknownCode = -32011

    public var description: String {
        switch self {
        case .timeout(let method, let limit):
            "The computer did not answer \(method) within \(limit). Check that it is on and connected, then try again."
        case .notConnected:
            "There is no connection to the computer. Check that it is on and that both have a network."
        case .malformedResult:
            "The computer's answer could not be read. Update Tandem on both devices."
        case .invalidRequest(let reason):
            "The request is not valid: \(reason)."
        case .tooManyWaiting(let limit):
            "\(limit) commands wait for an answer already. Wait for some of them."
        }
    }
}
