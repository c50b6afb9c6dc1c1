import ArgumentParser
import ChatClient
import Control
import Kernel

extension ChatCommand {
    struct Follow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print messages as they come, of one conversation or of all, until Ctrl-C.",
            discussion: """
                Nothing is marked as read by it. With --json each line is one of {"message": …}, {"conversation": …}, {"hidden": …}, {"cleared": …}, \
                {"removed": …}, {"typing": …} and {"state": …}; {"reset": true} says that something may be missing and has to be asked for anew.
                """
        )

        @OptionGroup var global: GlobalOptions
        @Argument(help: ArgumentHelp("The other person. Default: everybody.", valueName: "name")) var person: String?

        func run() async throws {
            let client = global.client(for: .phone)
            let people = ChatPeople(client: client)
            let conversation: ChatControl.ConversationEntry? =
                if let person { try await people.conversation(person) } else { nil }
            let isJSON = global.json
            let known = isJSON ? [] : try await people.standing().conversations
            if !isJSON { Output.complain("Following. It ends with Ctrl-C.") }
            let news = ChatNews(known + [conversation].compactMap(\.self))
            _ = try await client.call(ChatControl.follow.asWire, ChatControl.Following(conversation?.id)) { item in
                guard !isJSON else { return try Output.json(item) }
                guard let item = try? item.decode(as: ChatControl.Item.self) else { return }
                for line in news.lines(of: item) { try Output.result(line) }
            }
        }
    }
}
