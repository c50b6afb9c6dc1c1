import ArgumentParser
import Control
import Foundation
import Kernel
import TandemPhone

/// `tandem migrate`: what becomes of this phone when its data moves to a new one.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Whether this phone's data moved to a new phone, and taking this phone back.",
        discussion: """
            A phone rests from the moment its data is taken out, because two phones with the same keys would end each other's sessions. \
            Nothing of it is deleted.
            """,
        subcommands: [Status.self, Keep.self],
        defaultSubcommand: Status.self
    )

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show whether this phone is the one that its keys name."
        )
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(.phoneStanding, of: .phone) { MigrateCommand.sentence($0) }
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
            try await global.show(.phoneKeep, of: .phone) { MigrateCommand.sentence($0) }
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
