import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Resend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a message that failed once more, under the same id: it never arrives twice."
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The message's id or its beginning. Default: the newest that failed.") var id: String?
        @OptionGroup var waiting: ChatWaiting

        func run() async throws {
            let conversation = try await options.conversation()
            let client = options.client
            let message = try await ChatMessages(client: client, conversation: conversation)
                .find(id) { $0.isMine && $0.status == .failed }
            let wire = try await ChatDelivery(client: client, conversation: conversation.id)
                .run(message.id, patience: waiting.patience) {
                    let target = ChatControl.Target(conversation.id, id: message.id)
                    return try await client.call(ChatControl.resend.asWire, target)
                }
            try ChatDelivery.show(wire, in: conversation, json: options.global.json)
        }
    }
}
