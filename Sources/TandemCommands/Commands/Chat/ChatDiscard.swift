import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Throw away a message that waits or failed, or delete one for yourself alone.",
            discussion: "The other person keeps what was sent; take that back with: tandem chat recall"
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The message's id or its beginning.") var id: String

        func run() async throws {
            let conversation = try await options.conversation()
            let message = try await ChatMessages(client: options.client, conversation: conversation).find(id)
            let target = ChatControl.Target(conversation.id, id: message.id)
            let method = message.status == .sent ? ChatControl.remove : ChatControl.discard
            try await options.global.show(method, target, of: .phone) { _ in "It is gone." }
        }
    }
}
