public import Commands

/// Why a terminal did not do what was asked. The description is shown to the person.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    case stopped
    case sessionIDRequired
    case sessionNotFound
    case sessionNotAlive
    case invalidDimensions
    case shellNotAllowed
    case tooManySessions
    case folderMissing(String)
    case badEnvironment
    /// Errno of what failed.
    case notStarted(code: Int32)
    case inputFull
    case inputOutOfOrder

    /// Terminals that are open at a time.
    package static let sessionLimit = 8
    /// Variables that a shell may be given.
    package static let variableLimit = 64

    /// The texts phones know. Source: `docs/protocol.md`, "Terminal".
    static let documented: [TerminalError: String] = [
        .stopped: "pty_manager_stopped",
        .sessionIDRequired: "session_id_required",
        .sessionNotFound: "session_not_found",
        .sessionNotAlive: "session_not_alive",
        .invalidDimensions: "invalid_dimensions",
        .shellNotAllowed: "shell_not_allowed",
        .tooManySessions: "max_concurrent_sessions_exceeded",
        .inputFull: "input_buffer_full",
        .inputOutOfOrder: "input_out_of_order",
    ]

    /// Reads an answer; nil when it is about something else.
    public init?(_ failure: RemoteFailure) {
        // Other programs say so while they start.
        let word = failure.message == "pty_manager_not_ready" ? "pty_manager_stopped" : failure.message
        guard let known = Self.documented.first(where: { $0.value == word }) else { return nil }
        self = known.key
    }

    public var description: String {
        switch self {
        case .stopped: "The computer starts no terminals at the moment: its program begins or ends. Try again soon."
        case .sessionIDRequired: "The parameter sessionId must name a terminal. List them with terminal.list."
        case .sessionNotFound: "There is no such terminal any more. List those there are, or open a new one."
        case .sessionNotAlive: "The shell of this terminal has ended. Open a new one."
        case .invalidDimensions: "A terminal has 1 to 1000 columns and 1 to 1000 rows."
        case .shellNotAllowed: "The computer has no such shell. Use one that its /etc/shells lists, or name none."
        case .tooManySessions: "\(Self.sessionLimit) terminals are open already. Close one of them."
        case .folderMissing(let folder):
            "The parameter cwd must be a folder on the computer that can be entered, not \(folder)."
        case .badEnvironment:
            """
            The parameter env must be an object of at most \(Self.variableLimit) texts, named with letters, \
            digits and _.
            """
        case .notStarted(let code): "The shell could not be started (error \(code)). See the computer's log."
        case .inputFull: "The program in the terminal does not read what is typed. Wait, or close the terminal."
        case .inputOutOfOrder: "Something typed earlier did not arrive. Type it again."
        }
    }
}
