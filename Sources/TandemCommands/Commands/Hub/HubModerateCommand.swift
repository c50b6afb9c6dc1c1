import ArgumentParser
import ChatHub
import Control
import Kernel

struct HubModerateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moderate",
        abstract: "What people of the running hub reported of each other.",
        discussion:
            "Of a conversation nothing is shown but the reported message. Suspend somebody with: tandem hub users suspend NAME",
        subcommands: [List.self, Close.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List reports, the newest first.")
        @OptionGroup var global: GlobalOptions
        @Flag(help: "Reports that were looked at, too.") var all = false
        @Option(help: ArgumentHelp("Only older ones than the report of this number.", valueName: "number"))
        var before: Int64?

        func run() async throws {
            let query = ChatHubControl.Query(before: before, isAll: all)
            try await global.show(ChatHubControl.reports, query, of: .hub) { page in
                guard !page.reports.isEmpty else { return "There is no report." }
                return page.reports.map(Self.lines).joined(separator: "\n")
            }
        }

        private static func lines(_ report: ChatHubControl.Entry) -> String {
            let state = report.closedAt == nil ? "" : ", looked at"
            let reporter = report.reporter ?? "a deleted account"
            var lines = [
                "\(report.id): \(report.reported), by \(reporter), \(Output.time(report.at))\(state)"
            ]
            if !report.reason.isEmpty { lines.append("   Reason: \(TerminalText.line(report.reason))") }
            if let message = report.message { lines.append("   Message: \(TerminalText.line(message))") }
            return lines.joined(separator: "\n")
        }
    }

    struct Close: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Note that a report was looked at.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The report's number, as in: tandem hub moderate") var number: Int64

        func run() async throws {
            try await global.show(ChatHubControl.closeReport, .init(id: number), of: .hub) { _ in
                "The report is closed."
            }
        }
    }
}
