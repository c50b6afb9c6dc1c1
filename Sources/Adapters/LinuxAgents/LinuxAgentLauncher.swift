package import Agents
package import Kernel
import LinuxProcesses

/// Starts agents' programs with the environment of a login of the person, each as the leader of a session of its own.
package final class LinuxAgentLauncher: AgentLauncher {
    /// Variables that an agent sets for programs that it runs itself: an agent started with them would take itself for its own child.
    private static let dropped = [
        "COLORTERM", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_EXECPATH", "CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_PID",
        "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID",
    ]

    private let starter: ProgramStarter

    /// - Parameters:
    ///   - environment: In place of this program's own.
    ///   - mask: The programs' umask, where this program's own is stricter than its person's.
    ///   - asksShell: Whether the person's login shell is asked for its PATH: a service's own is shorter.
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
            dropping: Self.dropped,
            label: "tandem.agent",
            time: time
        )
    }

    package func path(of program: String) async -> String? { await starter.path(of: program) }

    package func launch(_ launch: AgentLaunch) async throws(AgentLaunchError) -> any AgentProcess {
        do {
            return try await starter.start(
                ProgramStart(command: launch.command, environment: launch.environment, folder: launch.folder)
            )
        } catch {
            switch error {
            case .missing: throw .missing
            case .folderMissing(let folder): throw .folderMissing(folder)
            case .system(let reason): throw .system(reason: reason)
            }
        }
    }
}

extension ChildProcess: AgentProcess {
    package func exit() async -> AgentExit {
        switch await ended() {
        case .exited(let code): .exited(code: code)
        case .killed(let signal): .killed(signal: signal)
        }
    }
}
