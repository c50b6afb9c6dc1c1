import ArgumentParser
import Control
import Foundation
import Journal
import Kernel

extension JournalCommand {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print a story with its categories and media.")

        @OptionGroup var options: JournalStoryOptions
        @Flag(help: "Only its text, Markdown, exactly as it is.") var content = false

        func run() async throws {
            let choice = JournalControl.Choice(options.id)
            guard content, !options.global.json else {
                return try await options.global.show(JournalControl.show, choice, of: .phone, JournalText.story)
            }
            let story = try await options.global.client(for: .phone).call(JournalControl.show, choice)
            try Output.text(story.content)
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a story.",
            discussion: "For example: tandem journal add < notes.md --title Sunday --in Travel/Italy"
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var parts: JournalStoryParts
        @Argument(help: "The text, Markdown. Left out, or -: what comes on stdin.") var text: [String] = []
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("A picture, a video or another file; several: several times.", valueName: "file"),
            completion: .file()
        )
        var file: [String] = []

        func run() async throws {
            let client = global.client(for: .phone)
            // A title alone is a story, too, where nobody sits and types.
            let isTyped = !text.isEmpty || parts.title == nil || !Running.console.isTerminal(.input)
            let draft = parts.draft(content: isTyped ? try await JournalWords.read(text) : nil)
            let made = try await client.call(JournalControl.add, draft)
            for file in file {
                let path = Live.path(typed: file).path
                _ = try await client.call(JournalControl.attach, JournalControl.Attachment(made.id, path: path))
            }
            let wire = try await client.call(JournalControl.show.asWire, JournalControl.Choice(made.id))
            try Output.result(wire, as: global.json) { (story: JournalControl.Story) in
                "It is in the journal: \(story.id)"
            }
        }
    }

    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change a story. What is not named stays as it is; an empty text takes a part away."
        )

        @OptionGroup var options: JournalStoryOptions
        @OptionGroup var parts: JournalStoryParts
        @Option(help: ArgumentHelp("A new text, Markdown; -: what comes on stdin.", valueName: "markdown")) var text:
            String?

        func run() async throws {
            let content: String?
            switch text {
            case "-": content = try await JournalWords.read(["-"])
            case let text: content = text
            }
            let edit = JournalControl.Edit(options.id, parts.draft(content: content))
            try await options.global.show(JournalControl.edit, edit, of: .phone) { "It is changed: \($0.id)" }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a story. It can be restored.")

        @OptionGroup var options: JournalStoryOptions

        func run() async throws {
            try await options.global.show(JournalControl.delete, .init(options.id), of: .phone) {
                "It is deleted. Back with: tandem journal restore \($0.id)"
            }
        }
    }

    struct Restore: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore a deleted story.",
            discussion: "Deleted ones: tandem journal list --deleted"
        )

        @OptionGroup var options: JournalStoryOptions

        func run() async throws {
            try await options.global.show(JournalControl.restore, .init(options.id), of: .phone) {
                "It is back: \($0.id)"
            }
        }
    }

    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove a deleted story for good, or all of them.",
            discussion:
                "Their pictures and videos go, too, and nothing brings them back. Deleted ones: tandem journal list --deleted"
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The story's id, or a beginning that no other has.") var id: String?
        @Flag(help: "All deleted stories.") var all = false

        func validate() throws {
            guard all != (id != nil) else { throw ValidationError("Name a story, or say --all.") }
        }

        func run() async throws {
            try await global.show(JournalControl.purge, .init(id), of: .phone) {
                switch $0.stories {
                case 0: "No story was deleted."
                case 1: "1 story is gone for good."
                case let count: "\(count) stories are gone for good."
                }
            }
        }
    }
}

/// The options of a command for one story.
struct JournalStoryOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions
    @Argument(help: "The story's id, or a beginning that no other has.") var id: String
}

/// The parts of a story beside its text.
struct JournalStoryParts: ParsableArguments {
    @Option(help: ArgumentHelp("Its title.", valueName: "text")) var title: String?
    @Option(help: ArgumentHelp("When it happened: 2026-11-28, \"2026-11-28 18:30\".", valueName: "day")) var date:
        JournalDate?
    @Option(help: ArgumentHelp("A word or a sign.", valueName: "text")) var mood: String?
    @Option(help: ArgumentHelp("The place's name.", valueName: "text")) var location: String?
    @Option(help: ArgumentHelp("Degrees north, -90 to 90.", valueName: "degrees")) var latitude: Double?
    @Option(help: ArgumentHelp("Degrees east, -180 to 180.", valueName: "degrees")) var longitude: Double?
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("A category in place of those that it has; several: several times.", valueName: "category")
    )
    var categories: [String] = []

    func validate() throws {
        guard (latitude == nil) == (longitude == nil) else {
            throw ValidationError("--latitude and --longitude belong together.")
        }
        guard abs(latitude ?? 0) <= 90, abs(longitude ?? 0) <= 180 else {
            throw ValidationError("--latitude is -90 to 90, and --longitude -180 to 180.")
        }
    }

    func draft(content: String?) -> JournalControl.Draft {
        JournalControl.Draft(
            title: title,
            content: content,
            timestamp: date?.milliseconds,
            mood: mood,
            location: location,
            latitude: latitude,
            longitude: longitude,
            categories: categories.isEmpty ? nil : categories.filter { !$0.isEmpty }
        )
    }
}

/// The text of a story, typed or piped.
enum JournalWords {
    /// Bytes of one text that a command takes.
    private static let limit = 512 << 10

    /// - Throws: `ValidationError` for what is too long or no UTF-8.
    static func read(_ typed: [String]) async throws -> String {
        guard typed.isEmpty || typed == ["-"] else { return try checked(typed.joined(separator: " ")) }
        if Running.console.isTerminal(.input) { Output.complain("Type the story. Ctrl-D ends it.") }
        var bytes: [UInt8] = []
        for await piece in StandardInput() {
            bytes += piece
            // A text that is too long is not collected to its end.
            guard bytes.count <= limit + 1 else { break }
        }
        guard bytes.count <= limit + 1 else { throw tooLong }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ValidationError("Text must be UTF-8.") }
        return try checked(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }

    private static func checked(_ text: String) throws -> String {
        guard text.utf8.count <= limit else { throw tooLong }
        return text
    }

    private static let tooLong = ValidationError("A story has at most 512 KiB. Write it in parts.")
}
