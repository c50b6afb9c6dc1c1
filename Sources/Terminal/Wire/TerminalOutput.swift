/// Output for a terminal's screen, in order.
public enum TerminalOutput: Hashable, Sendable {
    /// Whole characters with the escape sequences of an xterm.
    case text(String)
    /// Escape sequences that bring the screen to what was switched before the next text, which begins in the middle of the output: modes,
    /// the other screen, title, colours. Shown as ``text(_:)`` is.
    case state(String)
    /// The terminal has this size from here on: that of the viewer who looked or typed last.
    case resized(TerminalSize)
    /// Output is missing here and lost: it was written while no device could take it.
    case truncated
    /// The last.
    case exited(code: Int, signal: Int?)
}
