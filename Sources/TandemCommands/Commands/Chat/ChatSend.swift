import ArgumentParser

extension ChatCommand {
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a text.",
            discussion: """
                It waits until the text is sent, and says so; status 1: it was not. Without the hub the text waits at the phone, in its order, and is sent \
                as soon as the hub is there.
                """
        )

        @OptionGroup var options: ChatOptions
        @OptionGroup var message: ChatWords
        @OptionGroup var waiting: ChatWaiting

        func run() async throws {
            let words = try await message.words()
            let conversation = try await options.conversation()
            try await ChatCommand.send(words, to: conversation, options.global, waiting)
        }
    }
}
