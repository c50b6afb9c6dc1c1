/// A coding agent. The raw value is the word of the bridge's `source` member; those of agents that a person configured begin with `acp:`.
public struct Agent: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// `codex`, `claude_code` or `acp:NAME`.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    /// OpenAI's Codex.
    public static let codex = Agent(rawValue: "codex")
    /// Anthropic's Claude Code.
    public static let claudeCode = Agent(rawValue: "claude_code")
    /// The agents whose history files are read where they lie.
    public static let known: [Agent] = [.codex, .claudeCode]
}
