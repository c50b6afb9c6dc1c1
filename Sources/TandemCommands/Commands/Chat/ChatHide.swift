import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a conversation off the list until something new is written in it."
        )

        @OptionGroup var options: ChatOptions

        func run() async throws {
            try await options.show(ChatControl.hide, { ChatControl.Choice($0.id) }) { _ in "It is off the list." }
        }
    }
}
