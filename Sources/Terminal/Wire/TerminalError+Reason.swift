public import Kernel

extension TerminalError: NamedFailure {
    /// See `NamedFailure`. The documented word where there is one, which an answer to any other call carries too; the page has a sentence
    /// for each that it can bring about.
    public var reason: String {
        if let word = Self.documented[self] { return word }
        return switch self {
        case .folderMissing: "folder_missing"
        case .badEnvironment: "bad_environment"
        default: "not_started"
        }
    }

    /// See `NamedFailure`.
    public var values: [String: JSONValue] {
        switch self {
        case .folderMissing(let folder): ["folder": .string(folder)]
        case .notStarted(let code): ["code": .integer(Int64(code))]
        case .tooManySessions: ["limit": .integer(Int64(Self.sessionLimit))]
        default: [:]
        }
    }
}
