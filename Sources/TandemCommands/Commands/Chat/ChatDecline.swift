import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Decline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decline the first message of somebody new. They are not told, and cannot write again."
        )

        @OptionGroup var options: ChatOptions

        func run() async throws {
            try await options.show(ChatControl.answer, { ChatControl.Answer($0.id, accept: false) }) { _ in
                "It is declined."
            }
        }
    }
}
