import ArgumentParser
import Chat
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct Search: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find messages by their words, the newest first.",
            discussion:
                "All words are looked for, in what this phone has, and in older messages at the hub that are not sealed."
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: "The words.") var words: [String]
        @Option(
            name: .customLong("in"),
            help: ArgumentHelp("Only in the conversation with this person.", valueName: "name")
        )
        var person: String?
        @Option(help: ArgumentHelp("At most so many, 1 to 100.", valueName: "count")) var limit: Int = 20
        @Option(
            help: ArgumentHelp("Only older ones than this place; a shorter answer ends with it.", valueName: "place")
        )
        var before: String?

        func validate() throws {
            guard (1...100).contains(limit) else { throw ValidationError("--limit is 1 to 100, not \(limit).") }
            let text = words.joined(separator: " ")
            guard text.contains(where: { !$0.isWhitespace }) else { throw ValidationError("Say what is looked for.") }
            guard text.utf8.count <= ChatLimits.query else {
                throw ValidationError("At most \(ChatLimits.query) bytes can be looked for.")
            }
        }

        func run() async throws {
            let client = global.client(for: .phone)
            let people = ChatPeople(client: client)
            let conversation: ChatControl.ConversationEntry? =
                if let person { try await people.conversation(person) } else { nil }
            let search = ChatControl.Search(
                words.joined(separator: " "),
                in: conversation?.id,
                before: before,
                limit: limit
            )
            let wire = try await client.call(ChatControl.search.asWire, search)
            guard !global.json else { return try Output.json(wire) }
            let found: ChatControl.Found = try wire.controlAnswer()
            guard !found.messages.isEmpty else { return try Output.result("Nothing was found.") }
            let rows = try await people.standing().conversations + [conversation].compactMap(\.self)
            let known = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            try Output.result(ChatText().found(found.messages, in: known))
            if let next = found.next { Output.complain("More: the same with --before \(TerminalText.name(next))") }
        }
    }
}
