import ArgumentParser
import Control
import Foundation
import Kernel

struct Queue: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Commands that wait on this phone for their computers.",
        discussion: "Put one in with: tandem call --queue clipboard.set '{\"type\":\"text\",\"content\":\"hello\"}'",
        subcommands: [List.self, Retry.self, Remove.self, Clear.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List them, oldest first.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let client = global.client(for: .phone)
            let answer = try await client.call("queue.list")
            let names = global.json || answer["commands"] == [] ? [:] : try await Self.names(client)
            try Output.result(answer, as: global.json) { answer in
                let commands = answer["commands"]?.arrayValue ?? []
                guard !commands.isEmpty else { return "Nothing waits." }
                return Output.table(
                    ["QUEUED", "COMPUTER", "METHOD", "PARAMETERS", "STATUS", "TRIES", "ID", "WHY"],
                    commands.map { command in
                        let computer = command["desktopId"]?.stringValue ?? ""
                        return [
                            Output.time(command["timestamp"]?.integerValue), names[computer] ?? computer,
                            command["method"]?.stringValue ?? "", command["parameters"]?.stringValue ?? "",
                            command["status"]?.stringValue ?? "", String(command["retries"]?.integerValue ?? 0),
                            command["id"]?.stringValue ?? "", command["errorMessage"]?.stringValue ?? "",
                        ]
                    }
                )
            }
        }

        /// What the phone's computers are called, by the id that the queue knows them by.
        private static func names(_ client: ControlClient) async throws -> [String: String] {
            let devices = try await client.call("devices.list")["devices"]?.arrayValue ?? []
            let pairs = devices.compactMap { device -> (String, String)? in
                guard let id = device["pcPeerId"]?.stringValue, let name = device["name"]?.stringValue else {
                    return nil
                }
                return (id, name)
            }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Try a failed one again.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its id.") var id: String

        func run() async throws {
            let answer = try await global.client(for: .phone).call("queue.retry", ["id": .string(id)])
            try Output.result(answer, as: global.json) { "\($0["method"]?.stringValue ?? id) waits again." }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take one out. One that is on its way may still be done."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its id.") var id: String

        func run() async throws {
            let answer = try await global.client(for: .phone).call("queue.remove", ["id": .string(id)])
            try Output.result(answer, as: global.json) { "Removed \($0["method"]?.stringValue ?? id)." }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take all out, or those for one computer.")
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("Only what waits for this computer, by its name or id.", valueName: "name"))
        var computer: String?

        func run() async throws {
            let params: JSONValue = ["device": computer.map(JSONValue.string) ?? .null]
            let answer = try await global.client(for: .phone).call("queue.clear", params)
            try Output.result(answer, as: global.json) { "Removed \($0["removed"]?.integerValue ?? 0)." }
        }
    }
}
