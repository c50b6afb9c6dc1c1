import ArgumentParser
import CommandClient
import Commands
import Control
import Foundation
import Kernel
import SavedCommands

/// The side that a command is about: the computer's own commands, or those that a phone may run at one of its computers.
struct SavedCommandSide: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @OptionGroup var side: RoleOptions
    @OptionGroup var target: ComputerOptions

    /// Nil: the computer itself.
    func peer() async throws -> ControlPeer? {
        // A computer that is named is a phone's.
        let isPhone = target.computer != nil && side.role == nil
        let role = isPhone ? Role.phone : try await side.role(among: [.desktop, .phone], global)
        guard role == .phone else {
            guard target.computer == nil else { throw ValidationError("--computer is for --role phone.") }
            return nil
        }
        return ControlPeer(
            global.client(for: .phone),
            computer: target.computer,
            timeout: nil,
            keeps: .last
        )
    }

    /// Prints a phone's answer, with `--json` as it came.
    func show<Answer>(_ peer: ControlPeer, _ answer: Answer, _ lines: (Answer) -> String) throws {
        if global.json {
            try Output.json(peer.lastAnswer ?? .null)
        } else {
            try Output.result(lines(answer))
        }
    }
}

extension SavedCommandsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the saved commands: at the computer all, at a phone those that it may run."
        )
        @OptionGroup var side: SavedCommandSide

        func run() async throws {
            guard let peer = try await side.peer() else {
                return try await side.global.show(SavedCommandControl.list, of: .desktop) { list in
                    guard !list.commands.isEmpty else {
                        return "No command is saved. Save one: tandem commands add NAME -- COMMAND"
                    }
                    return Output.table(
                        ["NAME", "RUNS", "PHONES", "NOW"],
                        list.commands.map {
                            [
                                $0.name, SavedCommandText.program($0), "\($0.phones.count)",
                                $0.running > 0 ? "runs" : "",
                            ]
                        }
                    )
                }
            }
            try side.show(peer, try await SavedCommandsClient(peer).commands()) { commands in
                guard !commands.isEmpty else {
                    return
                        "The computer lets this phone run no command. At the computer: tandem commands allow NAME PHONE"
                }
                return Output.table(
                    ["NAME", "ASKS", "AT MOST"],
                    commands.map {
                        [
                            TerminalText.line($0.name), $0.needsConfirmation ? "yes" : "no",
                            $0.timeoutSeconds.map { "\($0) s" } ?? "",
                        ]
                    }
                )
            }
        }
    }

    struct Runs: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the runs that go on and the last ones that ended: at the computer of all phones."
        )
        @OptionGroup var side: SavedCommandSide
        @Option(name: .shortAndLong, help: ArgumentHelp("How many, 1 to 100.", valueName: "count")) var limit = 20

        func validate() throws {
            guard (1...SavedCommandLimits.history).contains(limit) else {
                throw ValidationError("--limit is 1 to \(SavedCommandLimits.history), not \(limit).")
            }
        }

        func run() async throws {
            guard let peer = try await side.peer() else {
                return try await side.global.show(SavedCommandControl.runs, OwnedRunQuery(limit: limit), of: .desktop) {
                    list in
                    guard !list.runs.isEmpty else { return "No command was run yet." }
                    let ids = list.runs.map(\.run)
                    return Output.table(
                        ["NAME", "PHONE", "BEGAN", "TOOK", "END", "ID"],
                        list.runs.map {
                            [
                                $0.name, $0.deviceName, Output.when($0.startedAt),
                                SavedCommandText.took(from: $0.startedAt, to: $0.endedAt),
                                SavedCommandText.end($0.end?.value), Output.shortID($0.run, among: ids),
                            ]
                        }
                    )
                }
            }
            try side.show(peer, try await SavedCommandsClient(peer).runs(limit: limit)) { runs in
                guard !runs.isEmpty else { return "This phone ran no command yet." }
                let ids = runs.map(\.id)
                return Output.table(
                    ["NAME", "BEGAN", "TOOK", "END", "ID"],
                    runs.map {
                        [
                            TerminalText.line($0.name), Output.when($0.startedAt),
                            SavedCommandText.took(from: $0.startedAt, to: $0.endedAt),
                            TerminalText.line(SavedCommandText.end($0.end)), Output.shortID($0.id, among: ids),
                        ]
                    }
                )
            }
        }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop a run, with every program of its group.",
            discussion:
                "Without a run, the only one that goes on. A program that left the group, as daemons do, goes on."
        )
        @OptionGroup var side: SavedCommandSide
        @Argument(help: ArgumentHelp("The run, or its beginning, from: tandem commands runs", valueName: "run"))
        var chosen: String?

        func run() async throws {
            guard let peer = try await side.peer() else {
                let client = side.global.client(for: .desktop)
                let list = try await client.call(
                    SavedCommandControl.runs,
                    OwnedRunQuery(limit: SavedCommandLimits.history)
                )
                let run = try Self.one(chosen, list.runs.map { ($0.run, $0.end == nil) })
                return try await side.global.show(SavedCommandControl.stop, OwnedRunChoice(run), of: .desktop) { _ in
                    "It is ended."
                }
            }
            let client = SavedCommandsClient(peer)
            let runs = try await client.runs(limit: SavedCommandLimits.history)
            let run = try Self.one(chosen, runs.map { ($0.id, $0.end == nil) })
            try side.show(peer, try await client.stop(run)) { "It is ended." }
        }

        /// - Parameter runs: Their ids, and whether each goes on.
        static func one(_ chosen: String?, _ runs: [(id: String, goesOn: Bool)]) throws -> String {
            let found = runs.filter { run in chosen.map { run.id.hasPrefix($0) } ?? run.goesOn }.map(\.id)
            if let chosen, found.contains(chosen) { return chosen }
            guard let run = found.first else {
                throw CommandError.empty(chosen == nil ? "No command runs." : "There is no such run.")
            }
            guard found.count == 1 else {
                throw ValidationError("Several runs are meant by that. Name one: tandem commands runs")
            }
            return run
        }
    }

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run a command that the computer's owner saved and lets this phone run.",
            discussion: """
                What it prints comes here as it is printed, and its exit status is this command's; 128 and the signal's number where a signal \
                ended it, 124 where its time was over, 125 where it was stopped or did not start. Ctrl-C ends the watching, and the command goes \
                on: tandem commands stop. It never waits for a computer that is away.
                """
        )
        /// As `timeout(1)` has them.
        static let timedOut: Int32 = 124
        static let notRun: Int32 = 125

        @OptionGroup var remote: RemoteOptions
        @Argument(help: "The command's name or id.") var name: String
        @Flag(name: .shortAndLong, help: "Say yes where the command asks before it runs.") var yes = false
        @Flag(help: "Do not wait for its end.") var detach = false

        func run() async throws {
            // Its answers are not kept, also where one value is printed at the end: a command may print for days.
            let peer = ControlPeer(
                remote.client,
                computer: remote.target.computer,
                timeout: remote.timeout,
                keeps: .none
            )
            let client = SavedCommandsClient(peer)
            let commands = try await client.commands()
            guard let command = commands.first(where: { $0.id == name }) ?? commands.first(where: { $0.name == name })
            else {
                throw CommandError.empty(
                    "The computer lets this phone run no command \(name). See them with: tandem commands list --role phone"
                )
            }
            if command.needsConfirmation { try await confirm(command) }
            let run = try await client.run(command.id, isConfirmed: command.needsConfirmation)
            if detach, run.end == nil {
                if remote.global.json { return try Output.json(run.wire) }
                return try Output.result("It runs: \(run.id)")
            }
            let gathers = remote.global.json
            let parts = PrintedParts()
            let ended = try await client.follow(run.id) { part in
                if gathers { parts.append(part.text) } else { try Self.show(part.text) }
            }
            let end = ended ?? run
            if gathers { try Output.json(end.wire.adding("output", .string(parts.text))) }
            try Self.leave(end, isQuiet: gathers)
        }

        /// - Throws: ``CommandError/declined``; `ValidationError` where nobody can be asked.
        private func confirm(_ command: SavedCommandEntry) async throws {
            guard !yes else { return }
            guard Running.console.canAsk else { throw ValidationError("Nobody can be asked here: give --yes.") }
            Output.complain("Run \(command.name) at the computer? [y/N]")
            let answer = await StandardInput.line() ?? ""
            guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError.declined }
        }

        /// A part of the output as it is into a pipe or a file, and safe on a terminal. It may end within a line.
        private static func show(_ text: String) throws {
            let shown = Running.console.isTerminal(.output) ? TerminalText.block(text) : text
            try Running.console.write(Data(shown.utf8), to: .output)
        }

        /// - Throws: `ExitCode`, the command's where it is not 0.
        private static func leave(_ run: CommandRun, isQuiet: Bool) throws {
            let status: Int32
            switch run.end {
            case .exited(0)?: return
            case .exited(let code)?: throw ExitCode(Int32(truncatingIfNeeded: code))
            case .signalled(let signal)?: status = Int32(truncatingIfNeeded: 128 + signal)
            case .timedOut?: status = timedOut
            default: status = notRun
            }
            if !isQuiet {
                Output.complain("\(TerminalText.line(run.name)) \(TerminalText.line(SavedCommandText.end(run.end))).")
            }
            throw ExitCode(status)
        }
    }
}

/// The last part of what a run printed, put together as it comes: as much as the computer keeps.
private final class PrintedParts: Sendable {
    private let parts = LatestValue("")

    func append(_ text: String) {
        parts.update { kept in
            kept += text
            let excess = kept.utf8.count - SavedCommandLimits.output
            guard excess > 0 else { return }
            kept = String(kept[kept.utf8.index(kept.startIndex, offsetBy: excess)...])
        }
    }

    var text: String { parts.value }
}
