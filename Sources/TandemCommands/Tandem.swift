import ArgumentParser
import Foundation
import Kernel

struct Tandem: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tandem",
        abstract:
            "Links your phone and your computers: sealed end to end, directly where it can, over a hub where it must.",
        discussion: """
            Start with: tandem up --with-phone
            It runs a hub and a desktop on this machine, and a phone of its own to try things with.
            Every other command talks to what is running; nothing is started behind your back.
            """,
        version: TandemVersion.current,
        subcommands: [ManCommand.self],
        groupedSubcommands: [
            CommandGroup(name: "Run", subcommands: [Up.self, HubCommand.self, DesktopCommand.self, PhoneCommand.self]),
            CommandGroup(name: "Link devices", subcommands: [Pair.self, Devices.self, BridgeCommand.self]),
            CommandGroup(
                name: "Use them",
                subcommands: [
                    ThreadsCommand.self, TerminalCommand.self, Files.self, Clipboard.self, Screen.self,
                    InputCommand.self,
                    SystemCommand.self, NotificationsCommand.self, NotifyWhen.self, Call.self, Queue.self,
                ]
            ),
            CommandGroup(name: "Write to people", subcommands: [AccountCommand.self, ChatCommand.self]),
            CommandGroup(name: "Keep a journal", subcommands: [JournalCommand.self]),
            CommandGroup(
                name: "Look after it",
                subcommands: [
                    ActivityCommand.self, Status.self, PageCommand.self, Doctor.self, ConfigCommand.self,
                    MigrateCommand.self,
                ]
            ),
        ]
    )
}
