/// Starts saved commands, in a system's way: with the environment of a login of the owner, in the command's folder, with the owner's umask, and
/// with nothing to read on standard input.
package protocol CommandLauncher: Sendable {
    /// - Parameters:
    ///   - words: The program, by its path or by a name on the PATH of a login, and its arguments.
    ///   - folder: Where it starts; nil: the owner's home.
    /// - Throws: ``CommandStartError``.
    func start(_ words: [String], in folder: String?) async throws(CommandStartError) -> any RunningCommand
}

/// A program that runs. It leads a process group of its own.
package protocol RunningCommand: Sendable {
    /// Its number in the system.
    var processID: Int { get }

    /// What it prints on standard output and standard error, in order, as it comes. Nil at the end of it.
    func read(upTo limit: Int) async -> [UInt8]?

    /// Asks its group to end and, after some seconds, ends the group by force.
    func end()

    /// Returns once it has ended, and its group with it.
    func ended() async -> CommandExit
}

/// How a program ended by itself, or by a signal.
package enum CommandExit: Hashable, Sendable {
    case exited(status: Int)
    case killed(signal: Int)
}

/// Why a command could not be started. The description is shown to the person.
package enum CommandStartError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(String)
    case folderMissing(String)
    case system(reason: String)

    package var description: String {
        switch self {
        case .missing(let program):
            "The computer has no program \(program). Its owner can change the command: tandem commands edit"
        case .folderMissing(let folder):
            "The command's folder \(folder) is not there. The computer's owner can make it, or change the command."
        case .system(let reason): "The computer could not start the command: \(reason)."
        }
    }
}
