/// The origin of a thread, as the agent noted it. An open set.
public enum ThreadSource: Hashable, Sendable {
    case terminal
    case editor
    /// A program ran the agent once, without a person.
    case exec
    case mcp
    /// Another thread started it; the word says as what, where the agent noted that.
    case subagent(String?)
    case other(String)

    /// Started where a person types: what codex itself lists by default.
    public var isInteractive: Bool { self == .terminal || self == .editor }

    /// The agent's own word.
    public var word: String {
        switch self {
        case .terminal: "cli"
        case .editor: "vscode"
        case .exec: "exec"
        case .mcp: "mcp"
        case .subagent(let kind): kind.map { "subagent:\($0)" } ?? "subagent"
        case .other(let word): word
        }
    }

    package init(word: String) {
        self =
            switch word {
            case "cli": .terminal
            case "vscode", "claude-vscode": .editor
            case "exec": .exec
            case "mcp": .mcp
            default: .other(ShortText.line(word, limit: 80))
            }
    }
}
