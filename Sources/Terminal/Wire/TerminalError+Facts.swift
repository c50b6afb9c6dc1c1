import Commands
public import Kernel

extension TerminalError: ClassifiedError {
    /// The reasons are the documented words where there are some, which an answer to any other call carries too; the page has a sentence
    /// for each that it can bring about.
    public var facts: FailureFacts {
        let word = Self.documented[self]
        return switch self {
        case .sessionNotFound, .sessionNotAlive: .code(FailureCode.badParameters, kind: .notFound, word: word)
        case .folderMissing(let folder):
            .code(
                FailureCode.badParameters,
                kind: .notFound,
                reason: "folder_missing",
                ["folder": .string(folder)]
            )
        case .sessionIDRequired, .invalidDimensions, .inputOutOfOrder:
            .code(FailureCode.badParameters, kind: .badRequest, word: word)
        case .badEnvironment: .code(FailureCode.badParameters, kind: .badRequest, reason: "bad_environment")
        case .shellNotAllowed: .code(FailureCode.badParameters, word: word)
        case .tooManySessions:
            .code(FailureCode.busy, word: word, ["limit": .integer(Int64(Self.sessionLimit))])
        case .inputFull: .code(FailureCode.busy, kind: .tooLarge, word: word)
        case .stopped: .code(FailureCode.internalError, word: word)
        case .notStarted(let code):
            .code(
                FailureCode.internalError,
                kind: .internal,
                reason: "not_started",
                ["code": .integer(Int64(code))]
            )
        }
    }
}
