/// A program to start.
package struct AgentLaunch: Hashable, Sendable {
    /// The program, by its path or by a name on the PATH of a login, and its arguments.
    package var command: [String]
    /// Added to the environment of a login.
    package var environment: [String: String]
    /// Where it starts; nil: the person's home.
    package var folder: String?

    package init(command: [String], environment: [String: String] = [:], folder: String? = nil) {
        self.command = command
        self.environment = environment
        self.folder = folder
    }
}

/// How a program ended.
package enum AgentExit: Hashable, Sendable {
    case exited(code: Int32)
    case killed(signal: Int32)

    /// The end in words, to follow the program's name.
    var words: String {
        switch self {
        case .exited(0): "ended"
        case .exited(let code): "ended with status \(code)"
        case .killed(let signal): "was ended by signal \(signal)"
        }
    }
}

/// Why a program was not started.
package enum AgentLaunchError: Error, Hashable, Sendable {
    /// It is not on the PATH, or no program is at its path.
    case missing
    case folderMissing(String)
    case system(reason: String)
}

/// Starts agents' programs.
package protocol AgentLauncher: Sendable {
    /// Where a program is; nil where it is not installed.
    func path(of program: String) async -> String?

    func launch(_ launch: AgentLaunch) async throws(AgentLaunchError) -> any AgentProcess
}

/// A running program with pipes to its standard input and output. It leads a process group of its own.
package protocol AgentProcess: Sendable {
    /// Its output, as it comes. Nil at the end of it.
    func read(upTo limit: Int) async -> [UInt8]?

    /// Takes bytes for its input and returns at once.
    ///
    /// - Returns: False where the program is over, or leaves too much unread.
    func write(_ bytes: [UInt8]) -> Bool

    /// The end of what it complained about, bounded.
    var lastWords: String { get }

    /// Closes its input, asks it to end and, after a while, ends it and its group by force.
    func end()

    /// Ends it and its group at once.
    func kill()

    /// Returns once it has ended.
    func exit() async -> AgentExit
}
