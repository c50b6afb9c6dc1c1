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

    private static let words: WordTable<ThreadSource> = [
        "cli": .terminal, "vscode": .editor, "claude-vscode": .editor, "exec": .exec, "mcp": .mcp,
    ]

    /// The agent's own word.
    public var word: String {
        switch self {
        case .subagent(let kind): kind.map { "subagent:\($0)" } ?? "subagent"
        case .other(let word): word
        default: Self.words.word(of: self)
        }
    }

    package init(word: String) { self = Self.words.known(word) ?? .other(ShortText.line(word, limit: 80)) }
}
