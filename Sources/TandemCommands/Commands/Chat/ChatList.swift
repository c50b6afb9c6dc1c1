import ArgumentParser
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the conversations; what is meant without a subcommand.",
            discussion:
                "Marks: ^ pinned, - muted, x blocked, ? waits for your answer, … waits for theirs, * there now."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let wire = try await global.client(for: .phone).call(ChatControl.list.asWire, NoControlParameters())
            // Texts of several lines are made safe and joined by what prints them.
            try Output.result(global.json ? TerminalText.json(wire.canonicalText) : ChatText.list(wire.controlAnswer()))
        }
    }
}
