import ArgumentParser
import Control
import Journal
import Kernel

extension JournalCommand {
    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the journal's own settings, or change one.",
            discussion: "They move to a new phone with the journal. For example: tandem journal settings theme dark"
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The setting. Left out: all are listed.") var key: String?
        @Argument(help: "Its new value.") var value: String?
        @Option(help: ArgumentHelp("bool, int, string or json.", valueName: "kind")) var type = "string"

        func validate() throws {
            guard (key == nil) == (value == nil) else { throw ValidationError("A setting needs its new value.") }
            guard ["bool", "int", "string", "json"].contains(type) else {
                throw ValidationError("--type is bool, int, string or json.")
            }
        }

        func run() async throws {
            guard let key, let value else {
                return try await global.show(JournalControl.settings, of: .phone) { JournalText.settings($0.settings) }
            }
            let setting = JournalControl.Setting(key: key, type: type, value: value)
            try await global.show(JournalControl.set, setting, of: .phone) { "\($0.key) is \($0.value) now." }
        }
    }
}
