/// The codes of refused and failed commands: JSON-RPC's as existing programs use them, and those of transfers.
/// Source: `docs/protocol.md`, "Command envelopes" and "Files".
public enum FailureCode {
    /// No request, or a request without what it must have.
    public static let invalidRequest = -32600
    /// The computer knows no such method, or no such namespace.
    public static let unknownMethod = -32601
    /// The message names the parameter.
    public static let badParameters = -32602
    /// It failed at the computer; the message says why.
    public static let internalError = -32603
    /// The asker's proof was refused: a signature, a date or a nonce.
    public static let notProven = -32001
    /// The asker took it back, or it ended at the computer before it was done.
    public static let cancelled = -32002
    /// The device's rate is used up. It was not done; the same request may be sent later.
    public static let tooMany = -32003
    /// The answer would be larger than one may be.
    public static let quota = -32004
    /// Too much is under way or open. It was not done.
    public static let busy = -32005
    /// The method is known, and this computer does not serve it, or lacks a program for it.
    public static let unsupported = -32006
    /// The device is not paired, or is paired with sealing and came outside its session.
    public static let notPaired = -32008
    /// The device lacks the right that the method needs.
    public static let notAllowed = -32010
    /// Ours: a durable command began before the desktop stopped, and how far it came is not known. Never tried again unasked.
    public static let outcomeUnknown = -32011
    /// The transfer is over, or was never begun. It can be begun again.
    public static let unknownTransfer = -32020
    /// The file is not the one that the transfer began with.
    public static let sourceChanged = -32021
    /// The bytes that arrived do not have the announced checksum.
    public static let checksum = -32022
    /// The name is taken, and nothing was to be replaced.
    public static let exists = -32023
    /// There is no such file or folder.
    public static let notFound = -32024

    /// The meaning of a code, for people who read a list of them. Source: `docs/protocol.md`, "Who may do what".
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
