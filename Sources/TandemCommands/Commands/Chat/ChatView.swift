import ArgumentParser
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct View: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a view-once picture. It can be opened this once, on this device.",
            discussion:
                "It is drawn in the terminal and kept nowhere. With -o it is written into a file, which is then yours to look after."
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The message's id or its beginning. Default: the newest that is not opened.") var id: String?
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Write it into this file, which only you can read.", valueName: "file"),
            completion: .file()
        )
        var output: String?

        func run() async throws {
            guard output != nil || !options.global.json else {
                throw ValidationError("With --json nothing is drawn. Name a file for the picture: -o FILE")
            }
            let conversation = try await options.conversation()
            let client = options.client
            let message = try await ChatMessages(client: client, conversation: conversation)
                .find(id) { $0.flash == .closed }
            guard message.flash == .closed else { throw CommandError.notToBeOpened }
            // It is gone once it was opened: what could fail afterwards is tried before.
            let showing = try await ViewOnce.prepared(output: output)
            if output != nil {
                Output.complain("It cannot be opened again, on any device: the file is all that is left of it.")
            }
            let target = ChatControl.FlashTarget(conversation.id, id: message.id)
            let file = try await client.call(ChatControl.flash, target)
            let rows = try await ViewOnce.show(file, showing)
            guard !options.global.json else {
                return try Output.json(["id": .string(message.id), "path": output.map { .string($0) } ?? .null])
            }
            for row in rows { try Output.result(row) }
        }
    }
}
