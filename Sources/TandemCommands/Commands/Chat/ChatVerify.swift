import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Note that the safety number was compared and is the same.",
            discussion: "See it with: tandem chat safety NAME"
        )

        @OptionGroup var options: ChatOptions
        @OptionGroup var change: ChatSwitch

        func run() async throws {
            try await options.show(ChatControl.verify, { ChatControl.Switched($0.id, on: change.isOn) }) {
                $0.isVerified ? "It is noted as compared." : "It is noted as not compared."
            }
        }
    }
}
