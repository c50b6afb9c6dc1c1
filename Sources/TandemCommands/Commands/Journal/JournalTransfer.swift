import ArgumentParser
import Control
import Foundation
import Journal
import Kernel

extension JournalCommand {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bring in a Day One zip, a Joplin JEX, a folder of Markdown or an export of this program.",
            discussion: """
                Nothing comes in twice: what is here in the same form or a newer one stays. What cannot be read is listed on stderr, the rest comes in, \
                and the command ends with 1.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The file or the folder.", completion: .file()) var path: String
        @Option(
            name: .customLong("as"),
            help: ArgumentHelp("tandem, dayOne, joplin or markdown. Default: as it looks.", valueName: "form")
        )
        var format: String?

        func validate() throws {
            guard format == nil || ["tandem", "dayOne", "joplin", "markdown"].contains(format) else {
                throw ValidationError("--as is tandem, dayOne, joplin or markdown.")
            }
        }

        func run() async throws {
            let asked = JournalControl.Import(path: Live.path(typed: path).path, format: format)
            let wire = try await global.client(for: .phone).call(JournalControl.importing.asWire, asked)
            let report: JournalControl.Imported = try wire.forTerminal.controlAnswer()
            try Output.result(wire, as: global.json, JournalText.imported)
            if !global.json {
                for problem in report.problems { Output.complain("\(problem.item): \(problem.reason)") }
            }
            guard report.problemCount == 0 else { throw CommandError.incomplete(skipped: report.problemCount) }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the journal into a new folder: JSON, Markdown and media.",
            discussion: "Nothing in it is encrypted. It comes back with: tandem journal import FOLDER"
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "A folder, which is made where it is missing.", completion: .directory) var folder: String

        func run() async throws {
            let asked = JournalControl.Export(folder: Live.path(typed: folder).path)
            let wire = try await global.client(for: .phone).call(JournalControl.exporting.asWire, asked)
            let report: JournalControl.Exported = try wire.forTerminal.controlAnswer()
            try Output.result(wire, as: global.json, JournalText.exported)
            if !global.json {
                for broken in report.broken { Output.complain("\(broken.fileName): \(broken.reason)") }
            }
            guard report.broken.isEmpty else { throw CommandError.incomplete(skipped: report.broken.count) }
        }
    }
}
