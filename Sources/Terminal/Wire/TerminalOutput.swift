/// What a terminal's screen is told, in order.
public enum TerminalOutput: Hashable, Sendable {
    case text(String)
    /// What is missing here, nobody has any more: it was written while nobody could take it.
    case truncated
    /// The last.
    case exited(code: Int, signal: Int?)
}
