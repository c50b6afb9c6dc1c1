import ArgumentParser
import Control
import Foundation
import Kernel
import SavedCommands

struct SavedCommandsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commands",
        abstract: "Commands that you save at the computer under a name, and run from a phone by that name.",
        discussion: """
            At the computer: tandem commands add backup -- restic backup /home/ada
            Then let a phone run it: tandem devices allow PHONE commands, and: tandem commands allow backup PHONE
            At the phone: tandem commands run backup

            A phone sends a command's id only, never a part of what runs. It runs as you, with the environment of your login and nothing on its \
            standard input, in your home or the folder that was named.
            """,
        subcommands: [
            List.self, Run.self, Runs.self, Show.self, Stop.self, Add.self, Edit.self, Remove.self, Allow.self,
            Deny.self,
        ],
        defaultSubcommand: List.self
    )

    /// The program, its folder, its time and its question, as `add` and `edit` take them.
    struct Program: ParsableArguments {
        @Flag(help: "Take what follows -- as one line for /bin/sh, with its pipes and variables.") var shell = false
        @Option(
            help: ArgumentHelp("Where it runs. Default: your home.", valueName: "dir"),
            completion: .directory
        )
        var folder: String?
        @Option(
            help: ArgumentHelp("End it after so many seconds, 1 to 86400; 0 takes that back.", valueName: "seconds")
        )
        var timeout: Int?
        @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.") var command: [String] = []

        var absoluteFolder: String? { folder.map { $0.isEmpty ? "" : Live.path(typed: $0).path } }
        /// Nil where it is a line for a shell, or none was typed.
        var arguments: [String]? { shell || command.isEmpty ? nil : command }
        var line: String? { shell && !command.isEmpty ? command.joined(separator: " ") : nil }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Save a command. No phone may run it yet.",
            discussion: "For example: tandem commands add deploy --confirm --folder ~/site -- make deploy"
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "What it is called: letters, digits, hyphens, underscores and dots.") var name: String
        @OptionGroup var program: Program
        @Flag(help: "Ask at the phone before each run.") var confirm = false

        func run() async throws {
            guard !program.command.isEmpty else {
                throw ValidationError("Say what to run, for example: tandem commands add \(name) -- make test")
            }
            let new = NewSavedCommand(
                name: name,
                arguments: program.arguments,
                shell: program.line,
                folder: program.absoluteFolder,
                confirm: confirm,
                timeout: program.timeout
            )
            try await global.show(SavedCommandControl.add, new, of: .desktop) { command in
                SavedCommandText.command(command)
                    + "\nNo phone may run it yet. Let one: tandem commands allow \(command.name) PHONE"
            }
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a saved command from its next run on.",
            discussion:
                "What is not named stays, also who may run it. A run that goes on keeps what it began with."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The command's name or id.") var name: String
        @Option(help: ArgumentHelp("Call it this from now on.", valueName: "name")) var rename: String?
        @OptionGroup var program: Program
        @Flag(inversion: .prefixedNo, help: "Ask at the phone before each run, or do not.") var confirm: Bool?

        func run() async throws {
            guard !program.shell || !program.command.isEmpty else {
                throw ValidationError("--shell is about the line after --, and there is none.")
            }
            let change = SavedCommandChange(
                command: name,
                name: rename,
                arguments: program.arguments,
                shell: program.line,
                folder: program.absoluteFolder,
                confirm: confirm,
                timeout: program.timeout
            )
            try await global.show(SavedCommandControl.change, change, of: .desktop) { command in
                let note = command.running > 0 ? "\nIt runs now, as it was before. Stop that: tandem commands stop" : ""
                return SavedCommandText.command(command) + note
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a saved command. A run that goes on is ended."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The command's name or id.") var name: String

        func run() async throws {
            try await global.show(SavedCommandControl.remove, SavedCommandChoice(name), of: .desktop) { command in
                "\(command.name) is removed." + (command.running > 0 ? " It ran, and was ended." : "")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show what a saved command runs, where, and which phones may."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The command's name or id.") var name: String

        func run() async throws {
            let list = try await global.client(for: .desktop).call(SavedCommandControl.list, NoControlParameters())
            guard let command = list.commands.first(where: { $0.id == name || $0.name == name }) else {
                throw CommandError.empty("There is no saved command \(name). See them with: tandem commands list")
            }
            try Output.result(try JSONValue(encoding: command), as: global.json, SavedCommandText.command)
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a phone run a saved command.",
            discussion: "The phone needs the right to saved commands as well: tandem devices allow PHONE commands"
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The command's name or id.") var name: String
        @Argument(help: "The phone's name or id.") var phone: String

        func run() async throws {
            let permit = SavedCommandPermit(command: name, device: phone, allowed: true)
            try await global.show(SavedCommandControl.permit, permit, of: .desktop) { command in
                let able = command.phones.first { $0.id == phone || $0.name == phone }
                let isLacking = able?.hasRight == false
                return SavedCommandText.phones(of: command)
                    + (isLacking ? "\nIt lacks the right yet: tandem devices allow \(phone) commands" : "")
            }
        }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a phone no longer run a saved command. What it runs of it is ended."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The command's name or id.") var name: String
        @Argument(help: "The phone's name or id.") var phone: String

        func run() async throws {
            let permit = SavedCommandPermit(command: name, device: phone, allowed: false)
            try await global.show(SavedCommandControl.permit, permit, of: .desktop, SavedCommandText.phones)
        }
    }
}

/// Saved commands and their runs in lines for a person.
enum SavedCommandText {
    /// What it runs, as one line that a shell would read so.
    static func program(_ command: OwnedCommand) -> String {
        command.shell ?? ShellWords.line(command.arguments ?? [])
    }

    static func command(_ command: OwnedCommand) -> String {
        """
        \(command.name)
          Runs:    \(program(command))\(command.shell == nil ? "" : "  (by /bin/sh)")
          In:      \(command.folder ?? "your home")
          Time:    \(command.timeout.map { "at most \($0) s" } ?? "until it ends")
          Asks:    \(command.confirm ? "at the phone, before each run" : "no")
          Phones:  \(names(of: command))
          Id:      \(command.id)
        """
    }

    static func phones(of command: OwnedCommand) -> String {
        command.phones.isEmpty
            ? "No phone may run \(command.name)." : "May run \(command.name): \(names(of: command))."
    }

    private static func names(of command: OwnedCommand) -> String {
        guard !command.phones.isEmpty else { return "none" }
        return command.phones
            .map { ($0.name ?? "\($0.id), not paired any more") + ($0.hasRight ? "" : " (without the right)") }
            .joined(separator: ", ")
    }

    /// The end of a run, after its name: "ended with status 1".
    static func end(_ end: CommandEnd?) -> String {
        switch end {
        case nil: "runs"
        case .exited(0): "done"
        case .exited(let status): "ended with status \(status)"
        case .signalled(let signal): "was ended by signal \(signal)"
        case .timedOut: "was ended after its time"
        case .stopped: "was stopped"
        case .rightEnded: "was ended with the right to it"
        case .hostEnded: "was ended with the computer's program"
        case .failedToStart(let reason): "did not start: \(reason)"
        case .unknown(let how): how
        }
    }

    /// How long it took, or takes.
    static func took(from start: Int64, to end: Int64?) -> String {
        guard let end else { return "" }
        let seconds = max(0, end - start) / 1000
        return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    }
}
