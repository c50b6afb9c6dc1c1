import ArgumentParser
import Foundation
import Kernel

struct Clipboard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read or fill the clipboard of a paired computer.",
        subcommands: [Get.self, Set.self],
        defaultSubcommand: Get.self
    )

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case text, html, image
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print what is on the computer's clipboard.")

        @OptionGroup var remote: RemoteOptions
        @Option(help: "What to ask for: text, html or image (a PNG).") var type: Kind = .text
        @Option(name: .shortAndLong, help: "Write it to this file.", completion: .file()) var output: String?

        func run() async throws {
            let answer = try await remote.call("clipboard.get", ["type": .string(type.rawValue)])
            let content = answer["content"]?.stringValue ?? ""
            if remote.global.json, !content.isEmpty { return Output.json(answer) }
            guard !content.isEmpty else {
                throw CommandError.empty("The computer's clipboard holds no \(type.rawValue).")
            }
            guard type == .image else {
                guard output == nil else { return try Output.content(Data(content.utf8), to: output) }
                return Output.text(content)
            }
            guard let picture = Data(base64Encoded: content) else { throw CommandError.unreadableAnswer }
            if output == nil, isatty(STDOUT_FILENO) == 1 {
                throw ValidationError("A picture is nothing for a terminal. Name a file with -o.")
            }
            try Output.content(picture, to: output)
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put something on the computer's clipboard.")

        @OptionGroup var remote: RemoteOptions
        @Option(help: "What it is: text, html or image (a PNG).") var type: Kind = .text
        @Option(name: .shortAndLong, help: "Read it from this file.", completion: .file()) var input: String?
        @Argument(help: "The text. Left out: what comes on stdin.") var text: String?

        func run() async throws {
            let content = try await content()
            guard !content.isEmpty else { throw ValidationError("There is nothing to put on the clipboard.") }
            let isImage = type == .image
            guard isImage || String(data: content, encoding: .utf8) != nil else {
                throw ValidationError("Text must be UTF-8. Use --type image for a picture.")
            }
            let answer = try await remote.call(
                "clipboard.set",
                [
                    "type": .string(type.rawValue),
                    "content": .string(
                        isImage ? content.base64EncodedString() : String(decoding: content, as: UTF8.self)
                    ),
                ]
            )
            Output.result(answer, as: remote.global.json) { _ in "The computer's clipboard holds it now." }
        }

        private func content() async throws -> Data {
            if let text { return Data(text.utf8) }
            if let input {
                do {
                    return try Data(contentsOf: Live.path(typed: input))
                } catch {
                    throw CommandError.cannotRead(path: input, reason: Reason.of(error))
                }
            }
            var gathered: [UInt8] = []
            for await piece in StandardInput() {
                gathered += piece
                guard gathered.count <= 16 << 20 else { throw ValidationError("More than 16 MiB fits no clipboard.") }
            }
            return Data(gathered)
        }
    }
}
