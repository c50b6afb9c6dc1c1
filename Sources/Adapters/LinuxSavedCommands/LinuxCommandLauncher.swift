package import Kernel
import LinuxProcesses
package import SavedCommandsHost

/// Starts saved commands as the leaders of sessions of their own, with the environment of a login of the owner.
package final class LinuxCommandLauncher: CommandLauncher {
    private let starter: ProgramStarter

    /// - Parameters:
    ///   - environment: In place of this program's own.
    ///   - mask: The programs' umask, where this program's own is stricter than its owner's.
    ///   - asksShell: Whether the owner's login shell is asked for its PATH: a service's own is shorter.
    package init(
        environment: [String: String]? = nil,
        mask: UInt32? = nil,
        asksShell: Bool = true,
        time: any TimeSource = .system
    ) {
        starter = ProgramStarter(
            environment: environment,
            mask: mask,
            asksShell: asksShell,
            label: "tandem.saved-command",
            time: time
        )
    }

    package func start(_ words: [String], in folder: String?) async throws(CommandStartError) -> any RunningCommand {
        do {
            let program = try await starter.start(ProgramStart(command: words, folder: folder, mergesErrors: true))
            program.closeInput()
            return LinuxRunningCommand(program: program)
        } catch {
            switch error {
            case .missing: throw .missing(words.first ?? "")
            case .folderMissing(let folder): throw .folderMissing(folder)
            case .system(let reason): throw .system(reason: reason)
            }
        }
    }
}

/// A saved command's program.
private struct LinuxRunningCommand: RunningCommand {
    let program: ChildProcess

    var processID: Int { Int(program.id) }

    func read(upTo limit: Int) async -> [UInt8]? { await program.read(upTo: limit) }

    func end() { program.end() }

    func ended() async -> CommandExit {
        switch await program.ended() {
        case .exited(let code): .exited(status: Int(code))
        case .killed(let signal): .killed(signal: Int(signal))
        }
    }
}
