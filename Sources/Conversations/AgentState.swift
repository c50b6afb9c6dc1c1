/// The state of an agent in one thread at the moment. An open set: a word of a newer version is kept.
public enum AgentState: RawRepresentable, Hashable, Sendable {
    /// Nothing is known to run, and nothing ended lately.
    case idle
    /// A turn runs.
    case running
    /// The turn stands until a person allows or declines something.
    case waitingForApproval
    /// The turn stands until a person answers a question.
    case waitingForInput
    /// The last turn ended by itself.
    case done
    /// The last turn ended with an error, or its program died.
    case failed
    case other(String)

    private static let words: WordTable<AgentState> = [
        "idle": .idle, "running": .running, "approval": .waitingForApproval, "input": .waitingForInput, "done": .done,
        "failed": .failed,
    ]

    public init(rawValue: String) {
        self = Self.words.known(rawValue) ?? .other(ShortText.line(rawValue, limit: 40))
    }

    public var rawValue: String { if case .other(let word) = self { word } else { Self.words.word(of: self) } }

    /// Whether the turn stands until a person does something.
    public var isWaiting: Bool { self == .waitingForApproval || self == .waitingForInput }
}
