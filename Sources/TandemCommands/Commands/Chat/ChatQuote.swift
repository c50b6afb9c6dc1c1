import ArgumentParser
import Chat
import ChatClient
import Control

extension ChatCommand {
    struct Quote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Answer a signal, once in a conversation.",
            discussion: """
                Signals are an app's own: a short text that somebody sent out there, and that another one answers here. Its number is the app's.
                """
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The signal's number.") var signal: String
        @OptionGroup var message: ChatWords
        @Option(help: ArgumentHelp("The signal's words, which are shown above the answer.", valueName: "text"))
        var content: String?
        @Option(help: ArgumentHelp("The number of the received signal's record.", valueName: "number"))
        var receive: String?
        @OptionGroup var waiting: ChatWaiting

        func validate() throws {
            guard (content ?? "").utf8.count <= ChatLimits.signalText else {
                throw ValidationError("--content has at most \(ChatLimits.signalText >> 10) KiB.")
            }
        }

        func run() async throws {
            let words = try await message.words()
            let conversation = try await options.conversation()
            let client = options.client
            let quote = ChatControl.Quote(
                conversation.id,
                signal: signal,
                reply: words,
                content: content,
                receive: receive
            )
            let wire = try await client.call(ChatControl.quote.asWire, quote)
            let given: ChatControl.MessageEntry = try wire.controlAnswer()
            let outcome = try await ChatDelivery(client: client, conversation: conversation.id)
                .run(given.id, patience: waiting.patience) { wire }
            try ChatDelivery.show(outcome, in: conversation, json: options.global.json)
        }
    }
}
