import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Mute: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show no notifications of a conversation.")

        @OptionGroup var options: ChatOptions
        @OptionGroup var change: ChatSwitch

        func run() async throws {
            try await options.show(ChatControl.mute, { ChatControl.Switched($0.id, on: change.isOn) }) {
                $0.isMuted ? "\($0.name) is muted." : "\($0.name) is not muted."
            }
        }
    }
}
