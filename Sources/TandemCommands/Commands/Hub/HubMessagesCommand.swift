import ArgumentParser
import ChatHub
import Control
import Foundation
import Kernel

struct HubMessagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "How many messages the running hub keeps, by days, and what they take. Never what they say."
    )

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp("How many days to list. Default: 7.", valueName: "n")) var days: Int?

    func run() async throws {
        try await global.show(ChatFigures.messages, .init(days: days), of: .hub) { figures in
            let head = """
                \(Self.count(figures.messages, "message")) in \(Self.count(figures.conversations, "conversation")), \
                \(ByteSize(figures.databaseBytes))
                \(Self.count(figures.files, "file")), \(ByteSize(figures.fileBytes))
                Requests that wait: \(figures.requests). Open reports: \(figures.openReports).
                """
            let waiting =
                figures.webhookWaiting == 0 ? "" : "\nWaiting for chatWebhook: \(figures.webhookWaiting)."
            guard !figures.days.isEmpty else { return head + waiting }
            let table = Output.table(
                ["DAY", "MESSAGES"],
                figures.days.map {
                    [Date(millisecondsSince1970: $0.at).formatted(.iso8601.year().month().day()), "\($0.messages)"]
                }
            )
            return head + waiting + "\n" + table
        }
    }

    private static func count(_ number: Int64, _ word: String) -> String {
        number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }
}
