import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Pin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Keep a conversation at the top of the list.")

        @OptionGroup var options: ChatOptions
        @OptionGroup var change: ChatSwitch

        func run() async throws {
            try await options.show(ChatControl.pin, { ChatControl.Switched($0.id, on: change.isOn) }) {
                $0.isPinned ? "\($0.name) is at the top." : "\($0.name) is not kept at the top."
            }
        }
    }
}
