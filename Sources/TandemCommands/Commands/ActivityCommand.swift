import ArgumentParser
import Control
import Foundation
import Kernel

/// What phones keep going at this computer.
struct ActivityCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activity",
        abstract: "What phones keep going at this computer: shells, transfers, watching; and ending it.",
        subcommands: [List.self, End.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List what goes on, and for whom.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let answer = try await global.client(for: .desktop).call("activity.list")
            try Output.result(answer, as: global.json) { answer in
                let activities = answer["activities"]?.arrayValue ?? []
                guard !activities.isEmpty else { return "No phone keeps anything going at this computer." }
                return ActivityCommand.table(activities)
            }
        }
    }

    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End some of it, or all. What the phone may do stays: see tandem devices deny."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: ArgumentHelp("What to end, as in: tandem activity list", valueName: "id")) var ids: [String] =
            []
        @Flag(help: "End everything.") var all = false

        func validate() throws {
            guard all != !ids.isEmpty else { throw ValidationError("Name the ids to end, or say --all.") }
        }

        func run() async throws {
            let params: JSONValue = ["activities": .array(ids.map(JSONValue.string)), "all": .bool(all)]
            let answer = try await global.client(for: .desktop).call("activity.end", params)
            try Output.result(answer, as: global.json) { answer in
                let ended = answer["ended"]?.arrayValue ?? []
                return ended.isEmpty ? "Nothing was ended." : "Ended:\n" + ActivityCommand.table(ended)
            }
            let others = (answer["notEnded"]?.arrayValue ?? []).compactMap(\.stringValue)
            guard !others.isEmpty else { return }
            throw CommandError.notEnded(others)
        }
    }

    static func table(_ activities: [JSONValue]) -> String {
        Output.table(
            ["DEVICE", "WHAT", "WHICH", "SINCE", "ID"],
            activities.map { activity in
                [
                    activity["name"]?.stringValue ?? "", activity["words"]?.stringValue ?? "",
                    activity["detail"]?.stringValue ?? "", activity["since"]?.integerValue.map(Output.time) ?? "",
                    activity["id"]?.stringValue ?? "",
                ]
            }
        )
    }
}
