/// What a terminal's screen is told, in order.
public enum TerminalOutput: Hashable, Sendable {
    /// Whole characters with the escape sequences of an xterm.
    case text(String)
    /// Output is missing here and lost: it was written while no device could take it.
    case truncated
    /// The last.
    case exited(code: Int, signal: Int?)
}
