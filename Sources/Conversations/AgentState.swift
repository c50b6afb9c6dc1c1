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

    private static let known = [idle, running, waitingForApproval, waitingForInput, done, failed]

    public init(rawValue: String) {
        self = Self.known.first { $0.rawValue == rawValue } ?? .other(ShortText.line(rawValue, limit: 40))
    }

    public var rawValue: String {
        switch self {
        case .idle: "idle"
        case .running: "running"
        case .waitingForApproval: "approval"
        case .waitingForInput: "input"
        case .done: "done"
        case .failed: "failed"
        case .other(let word): word
        }
    }

    /// Whether the turn stands until a person does something.
    public var isWaiting: Bool { self == .waitingForApproval || self == .waitingForInput }
}
