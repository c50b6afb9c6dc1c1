import ArgumentParser
import Chat
import ChatClient
import Control

extension ChatCommand {
    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell who runs the hub of a person, or of one message of theirs.",
            discussion: "With --message its words go along; of everything else in the conversation nothing does."
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "What is wrong.") var reason: [String]
        @Option(help: ArgumentHelp("The message's id or its beginning.", valueName: "id")) var message: String?

        func validate() throws {
            guard (1...ChatLimits.reason).contains(reason.joined(separator: " ").utf8.count) else {
                throw ValidationError("Say what is wrong, in at most \(ChatLimits.reason >> 10) KiB.")
            }
        }

        func run() async throws {
            let conversation = try await options.conversation()
            var id: String?
            if let message {
                id = try await ChatMessages(client: options.client, conversation: conversation).find(message).id
            }
            let report = ChatControl.Report(conversation.id, id: id, reason: reason.joined(separator: " "))
            try await options.global.show(ChatControl.report, report, of: .phone) { _ in "It is reported." }
        }
    }
}
