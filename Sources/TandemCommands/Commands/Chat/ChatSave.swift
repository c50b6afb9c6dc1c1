import ArgumentParser
import Chat
import ChatClient
import Control
import Foundation
import Kernel

extension ChatCommand {
    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a picture or a voice note into a file, or say where its file is.",
            discussion: "For a view-once picture: tandem chat view"
        )

        @OptionGroup var options: ChatOptions
        @Argument(help: "The message's id or its beginning. Default: the newest with a file.") var id: String?
        @Option(help: ArgumentHelp("The picture among several, from 1.", valueName: "number")) var picture: Int = 1
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Write it there. Default: only print the path of the phone's own file.",
                valueName: "file"
            ),
            completion: .file()
        )
        var output: String?

        func validate() throws {
            guard (1...ChatLimits.pictures).contains(picture) else {
                throw ValidationError("--picture is 1 to \(ChatLimits.pictures), not \(picture).")
            }
        }

        func run() async throws {
            let conversation = try await options.conversation()
            let client = options.client
            let message = try await ChatMessages(client: client, conversation: conversation)
                .find(id) { $0.kind == .image || $0.kind == .voice }
            let object = ChatControl.Object(
                conversation.id,
                id: message.id,
                index: message.kind == .image ? picture - 1 : nil
            )
            let wire = try await client.call(ChatControl.media.asWire, object)
            let file: ChatControl.File = try wire.controlAnswer()
            if let output {
                try PrivateFile.write(Data(try ChatMedia.bytes(of: file)), to: Live.path(typed: output).path)
            }
            guard !options.global.json else {
                return try Output.json(output.map { wire.adding("path", .string(Live.path(typed: $0).path)) } ?? wire)
            }
            try Output.result(output.map { "It is in \(Output.name($0))." } ?? Output.name(file.path))
        }
    }
}
