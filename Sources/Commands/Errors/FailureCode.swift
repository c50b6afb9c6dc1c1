/// The codes of refused and failed commands: JSON-RPC's as existing programs use them, and those of transfers.
/// Source: `docs/protocol.md`, "Command envelopes" and "Files".
public enum FailureCode {
    public static let invalidRequest = -32600
    public static let unknownMethod = -32601
    public static let badParameters = -32602
    public static let internalError = -32603
    /// The asker's proof was refused: a signature, a date or a nonce.
    public static let notProven = -32001
    public static let cancelled = -32002
    public static let tooMany = -32003
    /// The answer would be larger than one may be.
    public static let quota = -32004
    public static let busy = -32005
    public static let unsupported = -32006
    public static let notPaired = -32008
    public static let notAllowed = -32010
    /// Ours: a durable command began before the desktop stopped, and how far it came is not known. Never tried again unasked.
    public static let outcomeUnknown = -32011
    public static let unknownTransfer = -32020
    public static let sourceChanged = -32021
    public static let checksum = -32022
    public static let exists = -32023
    public static let notFound = -32024

    /// What a code says, for people who read a list of them. Source: `docs/protocol.md`, "Who may do what".
    package static func words(for code: Int) -> String {
        switch code {
        case FailureCode.invalidRequest: "it was not a whole request"
        case FailureCode.unknownMethod: "there is no such method"
        case FailureCode.badParameters: "a parameter was wrong"
        case FailureCode.internalError: "it failed at this computer"
        case FailureCode.notProven: "its proof did not hold"
        case FailureCode.cancelled: "it was cancelled"
        case FailureCode.tooMany: "it asked too often"
        case FailureCode.busy: "too much was under way"
        case FailureCode.unsupported: "this computer does not offer that"
        case FailureCode.notPaired: "it was not paired, or came outside its session"
        case FailureCode.notAllowed: "it may not do that"
        case FailureCode.outcomeUnknown: "how far it came is not known"
        case FailureCode.unknownTransfer: "there was no such transfer"
        case FailureCode.sourceChanged: "the file had changed"
        case FailureCode.checksum: "the file arrived damaged"
        case FailureCode.exists: "the name was taken"
        case FailureCode.notFound: "it was not there"
        default: "error \(code)"
        }
    }
}
