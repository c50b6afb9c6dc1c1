extension RemoteFailure {
    /// What a code says, for people who read a list of them. Source: `docs/protocol.md`, "Who may do what".
    public static func words(for code: Int) -> String {
        switch code {
        case RemoteError.invalidRequestCode: "it was not a whole request"
        case RemoteError.unknownMethodCode: "there is no such method"
        case RemoteError.badParametersCode: "a parameter was wrong"
        case RemoteError.internalCode: "it failed at this computer"
        case RemoteError.notProvenCode: "its proof did not hold"
        case RemoteError.cancelledCode: "it was cancelled"
        case RemoteError.tooManyCode: "it asked too often"
        case TransferError.busyCode: "too much was under way"
        case RemoteError.unsupportedCode: "this computer does not offer that"
        case RemoteError.notPairedCode: "it was not paired, or came outside its session"
        case RemoteError.notAllowedCode: "it may not do that"
        case RemoteError.outcomeUnknownCode: "how far it came is not known"
        case TransferError.unknownCode: "there was no such transfer"
        case TransferError.sourceChangedCode: "the file had changed"
        case TransferError.checksumCode: "the file arrived damaged"
        case TransferError.existsCode: "the name was taken"
        case TransferError.notFoundCode: "it was not there"
        default: "error \(code)"
        }
    }
}
