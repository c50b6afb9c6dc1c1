import ArgumentParser
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Accept the first message of somebody new.")

        @OptionGroup var options: ChatOptions

        func run() async throws {
            try await options.show(ChatControl.answer, { ChatControl.Answer($0.id, accept: true) }) {
                "You can write to each other now: tandem chat open \(TerminalText.name($0.user))"
            }
        }
    }
}
