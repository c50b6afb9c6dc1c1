import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Recall: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take back an own message, on both sides.",
            discussion: "The hub says for how long that can be done, by default two minutes. Who read it has read it."
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The message's id or its beginning. Default: your newest.") var id: String?

        func run() async throws {
            let conversation = try await options.conversation()
            let message = try await ChatMessages(client: options.client, conversation: conversation)
                .find(id) { $0.isMine && $0.kind != .recalled }
            let target = ChatControl.Target(conversation.id, id: message.id)
            try await options.global.show(ChatControl.recall, target, of: .phone) { _ in "It is taken back." }
        }
    }
}
