import ArgumentParser
import ChatClient
import Control

extension ChatCommand {
    struct Agree: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Go on with a person whose keys began anew, or in the clear.",
            discussion: "Ask the person by another way first: somebody in between would look the same."
        )

        @OptionGroup var options: ChatOptions
        @Flag(help: "Their devices began anew, and that is right.") var newKeys = false
        @Flag(help: "The next messages may go in the clear: who runs the hub can read them.") var clear = false

        func validate() throws {
            guard newKeys != clear else { throw ValidationError("Say to what: --new-keys or --clear.") }
        }

        func run() async throws {
            try await options.show(ChatControl.agree, { ChatControl.Agreement($0.id, to: clear ? .clear : .newKeys) }) {
                $0.isSealed ? "It goes on, sealed. Compare the new safety number." : "It goes on, not sealed."
            }
        }
    }
}
