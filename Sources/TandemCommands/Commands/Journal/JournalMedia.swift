import ArgumentParser
import Control
import Foundation
import Journal
import Kernel

extension JournalCommand {
    struct Attach: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put pictures, videos or other files into a story, encrypted."
        )

        @OptionGroup var options: JournalStoryOptions
        @Argument(help: "The files.", completion: .file()) var files: [String]

        func run() async throws {
            let client = options.global.client(for: .phone)
            var kept: [JSONValue] = []
            for file in files {
                let attachment = JournalControl.Attachment(options.id, path: Live.path(typed: file).path)
                let wire = try await client.call(JournalControl.attach.asWire, attachment)
                kept.append(wire)
                guard !options.global.json else { continue }
                let medium: JournalControl.Medium = try wire.forTerminal.controlAnswer()
                try Output.result("\(Output.name(file)) is in the story: \(medium.id)")
            }
            if options.global.json { try Output.json(.array(kept)) }
        }
    }

    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a medium, as it was, into a new file.",
            discussion: "A story's media and their ids: tandem journal show ID"
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The medium's id.") var medium: String
        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("The new file.", valueName: "file"),
            completion: .file()
        )
        var output: String
        @Flag(help: "The small picture in place of the medium.") var thumbnail = false

        func run() async throws {
            let saving = JournalControl.Saving(medium, path: Live.path(typed: output).path, thumbnail: thumbnail)
            try await global.show(JournalControl.save, saving, of: .phone) { "It is in \(Output.name($0.path))." }
        }
    }
}
