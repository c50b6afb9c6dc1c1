import ArgumentParser
import Control
import Foundation
import Kernel
import MigrationClient

extension MigrateCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write this phone's data into a sealed file, for a new phone.",
            discussion: """
                The phone rests from then on, because two phones with the same keys would end each other's sessions; it is taken back with: tandem \
                migrate keep. With --journal only the journal is written, and the phone goes on. Nobody opens the file without its password.
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var password: MigratePasswordOptions
        @Argument(help: "A file that is not there yet.", completion: .file()) var path: String
        @Flag(help: "The journal alone.") var journal = false

        func run() async throws {
            let secret = password.secret
            let text = try await secret.value(asking: "A password of at least 10 characters:", isNew: true)
            let asked = MigrationControl.Export(path: Live.path(typed: path).path, password: text, journalOnly: journal)
            _ = try await global.client(for: .phone).call(MigrationControl.export, asked)
            let end = try await MigrateDialogue(global, password: secret).follow()
            try Output.result(end, as: global.json) { (state: MigrationFlowState) in
                MigrateText.end(state)
                    + (journal ? "" : "\nThis phone rests now. Take it back with: tandem migrate keep")
            }
        }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put the data of a sealed file in the place of this phone's.",
            discussion: """
                The file is read and proved beside this phone's data. Then the phone's program starts again, which replaces the data in one step. What is \
                replaced is kept for seven days: tandem migrate rollback
                """
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var password: MigratePasswordOptions
        @Argument(help: "The file.", completion: .file()) var path: String
        @Flag(help: "Replace this phone's data without asking.") var yes = false

        func run() async throws {
            guard yes || Running.console.canAsk else {
                throw ValidationError("Without a terminal, --yes says that this phone's data may be replaced.")
            }
            let secret = password.secret
            let text = try await secret.value(asking: "The file's password:")
            let client = global.client(for: .phone)
            let asked = MigrationControl.Restore(path: Live.path(typed: path).path, password: text)
            _ = try await client.call(MigrationControl.restore, asked)
            let end = try await MigrateDialogue(global, password: secret).follow()
            if !yes {
                let state: MigrationFlowState = try end.forTerminal.controlAnswer()
                if let report = state.report { Output.complain(MigrateText.summary(report)) }
                Output.complain("It takes the place of this phone's data, which is kept for seven days.")
                if let replaced = MigrateText.replaced(state.own) { Output.complain(replaced) }
                try await MigrateConsent.ask(client)
            }
            let agreed = try await client.call(MigrationControl.agree.asWire, MigrationControl.Agreement())
            try Output.result(await MigrateRestart(client: client).followed(agreed), as: global.json) {
                MigrateText.end($0)
            }
        }
    }

    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Go back to the data that a restore replaced.",
            discussion: "The phone's program starts again for it. It can be undone by the same command."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let client = global.client(for: .phone)
            let asked = try await client.call(MigrationControl.rollback.asWire, NoControlParameters())
            let end = try await MigrateRestart(client: client).followed(asked)
            try Output.result(end, as: global.json) { (state: MigrationFlowState) in
                guard state.step == .ready else { return MigrateText.end(state) }
                return [
                    "Start this phone's program again to go back to its earlier data. Kept until \(Output.time(state.undo?.until)).",
                    state.undo.flatMap(MigrateText.hidden),
                ]
                .compactMap(\.self).joined(separator: "\n")
            }
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a transfer wait, on either phone, until it is resumed on the same one."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(MigrationControl.pause, of: .phone) { _ in
                "The move waits. Go on with: tandem migrate resume"
            }
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Go on with a transfer that waits here, also once a full disk has room again."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(MigrationControl.resume, of: .phone) { MigrateText.status($0) }
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a move that is under way, or what waits for a start of the program."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.show(MigrationControl.cancel, of: .phone) { _ in
                "The move is over. Both phones keep what they had."
            }
        }
    }
}
