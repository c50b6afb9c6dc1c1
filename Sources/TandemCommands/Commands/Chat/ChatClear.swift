import ArgumentParser
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Clear a conversation's history for yourself, on all your devices. There is no way back.",
            discussion: "The other person keeps it."
        )

        @OptionGroup var options: ChatOptions
        @Flag(help: "Do not ask.") var yes = false

        func run() async throws {
            let conversation = try await options.conversation()
            try await confirm(TerminalText.line(conversation.name))
            try await options.global.show(ChatControl.clear, ChatControl.Choice(conversation.id), of: .phone) { _ in
                "It is empty."
            }
        }

        /// - Throws: ``CommandError/declined``; `ValidationError` where nobody can be asked.
        private func confirm(_ name: String) async throws {
            guard !yes else { return }
            guard Running.console.canAsk else { throw ValidationError("Nobody can be asked here: give --yes.") }
            Output.complain("Clear all that you have of the conversation with \(name)? [y/N]")
            let answer = await StandardInput.line() ?? ""
            guard ["y", "yes"].contains(answer.lowercased()) else { throw CommandError.declined }
        }
    }
}
