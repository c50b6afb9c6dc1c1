import ArgumentParser
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print messages of a conversation, the oldest first.",
            discussion: """
                Behind own messages: … waits, ✓ sent, ✓✓ received, ✓✓ read. Pictures are drawn where the terminal has colours for it; else the path of \
                their file is printed. Nothing is marked as read by it.
                """
        )

        @OptionGroup var options: ChatOptions
        @Option(
            help: ArgumentHelp("Only older ones than this place; a shorter answer ends with it.", valueName: "place")
        )
        var before: Int64?
        @Option(help: ArgumentHelp("At most so many, 1 to 200.", valueName: "count")) var limit: Int = 40
        @Flag(help: "The path of each picture and voice note in place of the picture.") var paths = false
        @Flag(help: "The id of each message.") var ids = false

        func validate() throws {
            guard (1...200).contains(limit) else { throw ValidationError("--limit is 1 to 200, not \(limit).") }
            if let before, before < 1 { throw ValidationError("--before is a place of at least 1, not \(before).") }
        }

        func run() async throws {
            let conversation = try await options.conversation()
            let client = options.client
            let query = ChatControl.History(conversation.id, before: before, limit: limit)
            let wire = try await client.call(ChatControl.history.asWire, query)
            guard !options.global.json else { return try Output.json(wire) }
            let page: ChatControl.Page = try wire.controlAnswer()
            let text = ChatText()
            for line in text.heading(conversation) { try Output.result(line) }
            guard !page.rows.isEmpty else { return try Output.result("There is no message.") }
            let media = ChatMedia(client: client, palette: paths ? nil : .of())
            var last: ChatControl.MessageEntry?
            for row in page.rows {
                guard case .message(let message) = row else {
                    if case .notice(let notice) = row { try Output.result(text.notice(notice, in: conversation)) }
                    continue
                }
                if let day = text.day(of: message, after: last) { try Output.result(day) }
                last = message
                let rows = text.rows(message, in: conversation, label: ids ? TerminalText.line(message.id) : nil)
                let below = message.kind == .voice && !paths ? [] : await media.rows(of: message)
                for row in rows + below { try Output.result(row) }
            }
            if !page.isEnd, let place = page.messages.lazy.compactMap(\.seq).first {
                let name = TerminalText.name(conversation.user)
                Output.complain("Older ones: tandem chat history \(name) --before \(place)")
            }
        }
    }
}
