import ArgumentParser
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct Contacts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List people of accepted conversations, requests that wait, and blocked people."
        )

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let wire = try await global.client(for: .phone).call(ChatControl.contacts.asWire, NoControlParameters())
            try Output.result(
                global.json ? TerminalText.json(wire.canonicalText) : ChatText.contacts(wire.controlAnswer())
            )
        }
    }
}
