import ArgumentParser
import Control
import Foundation
import Pairing

/// `tandem activity`: lists and ends what phones keep going at this computer.
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
            try await global.show(DeviceControl.activities, DeviceChoice(nil), of: .desktop) { list in
                list.activities.isEmpty
                    ? "No phone keeps anything going at this computer." : ActivityCommand.table(list.activities)
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
            let choice = ActivityChoice(ids, all: all)
            let wire = try await global.client(for: .desktop).call(DeviceControl.endActivities.asWire, choice)
            try Output.result(wire, as: global.json) { (answer: EndedActivities) in
                answer.ended.isEmpty ? "Nothing was ended." : "Ended:\n" + ActivityCommand.table(answer.ended)
            }
            let answer: EndedActivities = try wire.controlAnswer()
            guard answer.notEnded.isEmpty else { throw CommandError.notEnded(answer.notEnded) }
        }
    }

    static func table(_ activities: [ActivityEntry]) -> String {
        let ids = activities.map(\.id)
        return Output.table(
            ["DEVICE", "WHAT", "WHICH", "SINCE", "ID"],
            activities.map {
                [$0.name, $0.words, $0.detail, $0.since.map(Output.when) ?? "", shortID($0.id, among: ids)]
            }
        )
    }

    /// The beginning of an id, which `activity end` takes: its kind, where that tells it from the others, else with eight letters of its name.
    /// Whole in a pipe or a file.
    private static func shortID(_ id: String, among ids: [String]) -> String {
        guard Running.console.isTerminal(.output), let colon = id.firstIndex(of: ":") else { return id }
        let kind = id[..<colon]
        let alike = ids.filter { $0.hasPrefix("\(kind):") }.map { String($0.dropFirst(kind.count + 1)) }
        let name = String(id[id.index(after: colon)...])
        return alike.count > 1 ? "\(kind):\(Output.shortID(name, among: alike))" : String(kind)
    }
}
