import ArgumentParser
import Clipboard
import Control
import Foundation
import Kernel

struct Clipboard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read, fill or watch the clipboard of a paired computer.",
        discussion: "The computer must allow it first: tandem devices allow <phone> clipboard",
        subcommands: [Get.self, Set.self, Clear.self, Watch.self, History.self],
        defaultSubcommand: Get.self
    )

    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case text, html, image

        /// The wire's kind.
        var wire: ClipboardKind {
            switch self {
            case .text: .text
            case .html: .html
            case .image: .image
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print what is on the computer's clipboard.")

        @OptionGroup var remote: RemoteOptions
        @Option(help: ArgumentHelp("What to ask for: text, html or image (a PNG).", valueName: "kind"))
        var type: Kind = .text
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Write it to this file. Default: to stdout.", valueName: "file"),
            completion: .file()
        )
        var output: String?

        func run() async throws {
            let peer = remote.peer
            let reading = try await ClipboardClient(peer).read(type.wire)
            guard let content = Self.bytes(of: reading.content) else {
                throw CommandError.empty("The computer's clipboard holds no \(type.rawValue).")
            }
            let answer = peer.lastAnswer
            if let answer, output == nil { return try Output.json(answer) }
            if type == .image, output == nil, Running.console.isTerminal(.output) {
                throw ValidationError("A picture is nothing for a terminal. Name a file with -o.")
            }
            if output == nil, type != .image {
                try Output.text(String(decoding: content, as: UTF8.self))
            } else {
                try Output.content(content, to: output)
            }
            guard let answer, let output else { return }
            try Output.json(answer.removing("content").adding("path", .string(output)))
        }

        /// Nil for nothing.
        private static func bytes(of content: ClipboardContent) -> Data? {
            if case .image(let picture) = content { return Data(picture) }
            return content.text.map { Data($0.utf8) }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Put something on the computer's clipboard.")

        @OptionGroup var remote: RemoteOptions
        @Option(help: ArgumentHelp("What it is: text, html or image (a PNG).", valueName: "kind")) var type: Kind =
            .text
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Read it from this file.", valueName: "file"),
            completion: .file()
        )
        var input: String?
        @Argument(help: "The text. Left out: what comes on stdin.") var text: String?

        func run() async throws {
            let content = try await content()
            guard !content.isEmpty else {
                throw ValidationError("There is nothing to put on the clipboard. To empty it: tandem clipboard clear")
            }
            guard type == .image || String(data: content, encoding: .utf8) != nil else {
                throw ValidationError("Text must be UTF-8. Use --type image for a picture.")
            }
            let new: NewClipboardContent =
                switch type {
                case .text: .text(String(decoding: content, as: UTF8.self))
                case .html: .html(String(decoding: content, as: UTF8.self))
                case .image: .image(Array(content))
                }
            try await remote.show({ try await ClipboardClient($0).set(new) }) { _ in
                "The computer's clipboard holds it now."
            }
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

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Empty the computer's clipboard, for example of a password.",
            discussion: "A clipboard manager that runs there may keep a copy of its own."
        )

        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            try await remote.show({ try await ClipboardClient($0).set(.text("")) }) { _ in
                "The computer's clipboard is empty now."
            }
        }
    }

    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what the computer's clipboard holds each time that changes, until Ctrl-C.",
            discussion: "The computer shows its person that its clipboard is watched."
        )

        @OptionGroup var remote: RemoteOptions

        func run() async throws {
            let isJSON = remote.global.json
            if !isJSON { Output.complain("Watching. It ends with Ctrl-C.") }
            _ = try await remote.client.call(
                ClipboardControl.follow,
                ClipboardControl.Follow(device: remote.target.computer)
            ) { item in
                guard let change = ClipboardChange(item: item) else { return }
                guard !isJSON else { return try Output.json(item) }
                if let text = change.text {
                    try Output.text(text.hasSuffix("\n") ? text : text + "\n")
                } else {
                    Output.complain(Self.unsaid(change.kind))
                }
            }
        }

        /// A change whose content is not told: a picture, a long text, or what a password manager copied.
        private static func unsaid(_ kind: ClipboardKind?) -> String {
            guard let kind else { return "It changed, and holds nothing that can be asked for." }
            guard let type = Kind(rawValue: kind.rawValue) else { return "It changed, and holds \(kind.rawValue)." }
            return "It changed, and holds \(type.rawValue). Get it with: tandem clipboard get --type \(type.rawValue)"
        }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What the computer's clipboard held before, where the computer keeps that.",
            subcommands: [List.self, Clear.self],
            defaultSubcommand: List.self
        )

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "List it, the newest first.")

            @OptionGroup var remote: RemoteOptions
            @Option(help: ArgumentHelp("At most so many, 1 to 50.", valueName: "count")) var limit: Int = 20

            func validate() throws {
                guard (1...50).contains(limit) else { throw ValidationError("--limit is 1 to 50, not \(limit).") }
            }

            func run() async throws {
                try await remote.show({ try await ClipboardClient($0).history(limit: limit) }) { history in
                    guard history.isEnabled else { return "The computer keeps no history of its clipboard." }
                    guard !history.entries.isEmpty else { return "The history is empty." }
                    return Output.table(
                        ["WHEN", "KIND", "SIZE", "CONTENT"],
                        history.entries.map {
                            [
                                Output.time($0.timestamp), $0.kind.rawValue, Output.size(Int64($0.text.utf8.count)),
                                $0.text,
                            ]
                        }
                    )
                }
            }
        }

        struct Clear: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Make the computer forget it.")

            @OptionGroup var remote: RemoteOptions

            func run() async throws {
                try await remote.show({ try await ClipboardClient($0).clearHistory() }) { "The history is empty now." }
            }
        }
    }
}
