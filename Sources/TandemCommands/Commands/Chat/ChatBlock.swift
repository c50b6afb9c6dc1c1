import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Block: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take no more messages of a person, or take them again.",
            discussion: "They are told that a message was refused, not by whom or why."
        )

        @OptionGroup var options: ChatOptions
        @OptionGroup var change: ChatSwitch

        func run() async throws {
            try await options.show(ChatControl.block, { ChatControl.Switched($0.id, on: change.isOn) }) {
                $0.isBlocked ? "\($0.name) is blocked." : "\($0.name) can write to you again."
            }
        }
    }
}
