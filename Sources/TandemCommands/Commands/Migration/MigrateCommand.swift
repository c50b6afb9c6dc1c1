import ArgumentParser
import Control
import Foundation
import Kernel
import MigrationClient
import TandemPhone

/// `tandem migrate`: a phone's data on its way to a new phone, and what becomes of the old one.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move this phone's data to a new phone, take that of an old one, and go back.",
        discussion: """
            A phone rests from the moment its data is taken out, because two phones with the same keys would end each other's sessions. \
            Nothing of it is deleted. Passwords and PINs are never arguments: they are asked for, or come by a file descriptor or the environment.
            """,
        subcommands: [
            Status.self, Send.self, Receive.self, Export.self, Restore.self, Rollback.self, Pause.self, Resume.self,
            Cancel.self, Keep.self,
        ],
        defaultSubcommand: Status.self
    )

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show whether this phone is the one that its keys name, and how far a move is."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let client = global.client(for: .phone)
            let standing = try await client.call(
                ControlMethod<NoControlParameters, PhoneStandingReport>.phoneStanding.asWire,
                NoControlParameters()
            )
            // A program of an earlier version has no move to tell of.
            let move = try? await client.call(MigrationControl.state.asWire, NoControlParameters())
            let state = move.flatMap { try? $0.forTerminal.decode(as: MigrationFlowState.self) }
            let wire = state == nil ? standing : standing.adding("move", move ?? .null)
            try Output.result(wire, as: global.json) { (report: PhoneStandingReport) in
                let lines = state.map(MigrateText.status) ?? ""
                return MigrateCommand.sentence(report) + (lines.isEmpty ? "" : "\n\(lines)")
            }
        }
    }

    struct Keep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Go on with this phone, although its data moved.",
            discussion: """
                Undo the move on the new phone first: while both live, this one rests again as soon as a server shows it the other. A phone that is \
                retired can be taken back for seven days.
                """
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let client = global.client(for: .phone)
            let kept = try await client.call(
                ControlMethod<NoControlParameters, PhoneStandingReport>.phoneKeep.asWire,
                NoControlParameters()
            )
            try Output.result(await started(kept, client), as: global.json) { MigrateCommand.sentence($0) }
        }

        /// The standing once the program that rested has started again; the one of before where it does not do that by itself.
        private func started(_ kept: JSONValue, _ client: ControlClient) async throws -> JSONValue {
            let report: PhoneStandingReport = try kept.forTerminal.controlAnswer()
            // Refused where its owner starts it, and by a program of an earlier version: the sentence says what to do then.
            guard report.isResting, (try? await client.call(MigrationControl.restart, NoControlParameters())) != nil
            else { return kept }
            return try await MigrateRestart(client: client).first(of: .phoneStanding) { !$0.isResting }
        }
    }

    static func sentence(_ report: PhoneStandingReport) -> String {
        let newPhone = TerminalText.line(report.newPhone ?? "another phone")
        switch report.state {
        case "handing-over":
            return "This phone rests while its data moves to \(newPhone).\nIf \(newPhone) is gone: tandem migrate keep"
        case "retired":
            let end = Output.time(report.undoUntil)
            return "This phone is retired: everything moved to \(newPhone). Nothing was deleted here."
                + "\nUntil \(end) it can be taken back. Undo the move on \(newPhone) first, then: tandem migrate keep"
        case _ where report.isResting:
            return "This phone goes on, but its program rests since the move. Start the program again."
        case "kept":
            return "This phone goes on after its data moved to \(newPhone). It rests again where \(newPhone) lives."
        default:
            return "This phone's data did not move to another phone."
        }
    }
}
