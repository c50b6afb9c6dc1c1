import ArgumentParser
import Foundation
import Kernel

@main
struct Tandem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "Links your phone and your computers: sealed end to end, directly where it can, over a hub where it must.",
        discussion: """
            Start with: tandem up --with-phone
            It runs a hub and a desktop on this machine, and a phone of its own to try things with.
            Every other command talks to what is running; nothing is started behind your back.
            """,
        version: TandemVersion.current,
        groupedSubcommands: [
            CommandGroup(name: "Run", subcommands: [Up.self, HubCommand.self, DesktopCommand.self, PhoneCommand.self]),
            CommandGroup(name: "Link devices", subcommands: [Pair.self, Devices.self]),
            CommandGroup(
                name: "Use them",
                subcommands: [
                    TerminalCommand.self, Files.self, Clipboard.self, Screen.self, SystemCommand.self, Call.self,
                    Queue.self,
                ]
            ),
            CommandGroup(
                name: "Look after it",
                subcommands: [ActivityCommand.self, Status.self, Doctor.self, ConfigCommand.self]
            ),
        ]
    )

    static func main() async {
        do {
            var command = try parseAsRoot()
            guard HomeFolder.path(environment: ProcessInfo.processInfo.environment) != nil else {
                throw SettingsError.noHome
            }
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// 0 done, 1 refused or failed with one line that says what to do, 2 wrong use.
    private static func end(with error: any Error) -> Never {
        switch exitCode(for: error) {
        case .success:
            print(fullMessage(for: error))
            Foundation.exit(0)
        case .validationFailure:
            Output.complain(fullMessage(for: error))
            Foundation.exit(2)
        default:
            // A command that ran another gives back that one's status.
            if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
            // One row, whatever a peer wrote into its reason.
            Output.complain("Error: \(TerminalText.line("\(error)"))")
            // A setting that cannot be used is wrong use, wherever it was set.
            Foundation.exit(error is SettingsError || error is ServerOptionsError ? 2 : 1)
        }
    }
}
