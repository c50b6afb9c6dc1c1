import ArgumentParser
import Chat
import ChatClient

extension ChatCommand {
    struct Voice: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a voice note.",
            discussion:
                "A recording of at most \(ChatLimits.voiceSeconds) seconds, for example Ogg with Opus, M4A or WAV."
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The recording.", completion: .file()) var file: String
        @OptionGroup var waiting: ChatWaiting

        func run() async throws { try await ChatCommand.send(.voice, [file], options, waiting) }
    }
}
