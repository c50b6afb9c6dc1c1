import ArgumentParser
import Control
import Journal
import Kernel

extension JournalCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List stories, the newest first.")

        @OptionGroup var global: GlobalOptions
        @OptionGroup var page: JournalPageOptions
        @Option(help: ArgumentHelp("Only what happened then or later.", valueName: "date")) var from: JournalDate?
        @Option(help: ArgumentHelp("Only what happened before.", valueName: "date")) var until: JournalDate?
        @Flag(help: "Only deleted stories.") var deleted = false

        func run() async throws {
            let list = JournalControl.List(
                category: page.category,
                from: from?.milliseconds,
                until: until?.milliseconds,
                deleted: deleted,
                before: page.before,
                limit: page.limit
            )
            let nothing =
                deleted
                ? "No story is deleted." : "There is no story. Write one: tandem journal add \"A walk\" --title Sunday"
            try await page.show(global.client(for: .phone).call(JournalControl.list.asWire, list), nothing, global)
        }
    }

    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find stories by their words, the newest first.",
            discussion: "All words are looked for, in titles and texts; the last may be the beginning of one."
        )

        @OptionGroup var global: GlobalOptions
        @OptionGroup var page: JournalPageOptions
        @Argument(help: "The words.") var words: [String]

        func validate() throws {
            guard words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
                throw ValidationError("Say what is looked for.")
            }
        }

        func run() async throws {
            let search = JournalControl.Search(
                words: words.joined(separator: " "),
                category: page.category,
                before: page.before,
                limit: page.limit
            )
            let wire = try await global.client(for: .phone).call(JournalControl.search.asWire, search)
            try page.show(wire, "Nothing was found.", global)
        }
    }
}

/// The options of lists of stories.
struct JournalPageOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Only in this category and those inside of it.", valueName: "category")
    )
    var category: String?
    @Option(help: ArgumentHelp("At most so many, 1 to 200.", valueName: "count")) var limit: Int = 50
    @Option(help: ArgumentHelp("Only older ones than this place; a shorter answer ends with it.", valueName: "place"))
    var before: String?

    func validate() throws {
        guard (1...200).contains(limit) else { throw ValidationError("--limit is 1 to 200, not \(limit).") }
    }

    func show(_ wire: JSONValue, _ nothing: String, _ global: GlobalOptions) throws {
        guard !global.json else { return try Output.json(wire) }
        let stories: JournalControl.Stories = try wire.forTerminal.controlAnswer()
        guard !stories.stories.isEmpty else { return try Output.result(nothing) }
        try Output.result(JournalText.list(stories.stories))
        if let next = stories.next { Output.complain("More: the same with --before=\(next)") }
    }
}
