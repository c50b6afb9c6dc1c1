import ArgumentParser
import Chat
import ChatClient

extension ChatCommand {
    struct Image: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a picture, or several as one message.",
            discussion:
                "Pictures are made small on the way, at most 200 KB, without what a camera wrote about place and time."
        )

        @OptionGroup var options: ChatOptions
        @Argument(
            help: ArgumentHelp("The pictures, up to \(ChatLimits.pictures).", valueName: "file"),
            completion: .file()
        )
        var files: [String]
        @OptionGroup var waiting: ChatWaiting

        func validate() throws {
            guard (1...ChatLimits.pictures).contains(files.count) else {
                throw ValidationError("A message has 1 to \(ChatLimits.pictures) pictures, not \(files.count).")
            }
        }

        func run() async throws { try await ChatCommand.send(.image, files, options, waiting) }
    }
}
