import ArgumentParser
import ChatClient

extension ChatCommand {
    struct Flash: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a picture that can be seen once.",
            discussion: """
                The hub hands it out once and then destroys it, also when nobody opened it for 14 days. Nothing keeps the other person from pointing a \
                camera at the screen.
                """
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The picture.", completion: .file()) var file: String
        @OptionGroup var waiting: ChatWaiting

        func run() async throws { try await ChatCommand.send(.flash, [file], options, waiting) }
    }
}
