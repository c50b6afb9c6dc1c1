import ArgumentParser
import ChatClient

extension ChatCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Write a first message to somebody. They accept it or not; until then it is all that you can send.",
            discussion: "NAME can be the link that tandem chat link prints for the other person."
        )

        /// What is said where the person gives no words.
        static let greeting = "Hello!"

        @OptionGroup var options: ChatOptions
        @Argument(help: ArgumentHelp("What to say. Default: \(greeting)", valueName: "text")) var text: [String] = []
        @OptionGroup var waiting: ChatWaiting

        func run() async throws {
            var message = ChatWords()
            message.text = text.isEmpty ? [Self.greeting] : text
            let words = try await message.words()
            let conversation = try await options.conversation()
            if text.isEmpty, conversation.newest > 0, conversation.request == nil {
                throw CommandError.empty("You write to each other already: tandem chat open \(conversation.user)")
            }
            try await ChatCommand.send(words, to: conversation, options.global, waiting)
        }
    }
}
