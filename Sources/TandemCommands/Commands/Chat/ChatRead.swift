import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Mark a conversation as read, on all your devices.")

        @OptionGroup var options: ChatOptions

        func run() async throws {
            try await options.show(ChatControl.read, { ChatControl.Read($0.id) }) { _ in "It is read." }
        }
    }
}
