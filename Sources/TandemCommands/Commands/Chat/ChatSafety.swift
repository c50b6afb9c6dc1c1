import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Safety: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Print the safety number of a conversation, to compare with what the other person's device shows.",
            discussion:
                "Where the two are the same, nobody stands in between, the hub included. Compare it face to face, or by a call."
        )

        @OptionGroup var options: ChatOptions

        func run() async throws {
            let conversation = try await options.conversation()
            let wire = try await options.client.call(ChatControl.safety.asWire, ChatControl.Choice(conversation.id))
            guard !options.global.json else { return try Output.json(wire) }
            let safety: ChatControl.Safety = try wire.controlAnswer()
            let text = ChatText.safety(safety, conversation.user)
            guard !safety.code.isEmpty, Running.console.isTerminal(.output) else { return try Output.result(text) }
            let rows = text.split(separator: "\n").count + 1
            try Output.result(CodeOnTerminal.text(safety.code, linesBelow: rows, below: text) { _, _ in text })
        }
    }
}
