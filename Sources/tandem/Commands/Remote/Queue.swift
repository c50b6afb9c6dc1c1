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
            let answer = try await global.client(for: .phone).call("queue.list")
            Output.result(answer, as: global.json) { answer in
                let commands = answer["commands"]?.arrayValue ?? []
                guard !commands.isEmpty else { return "Nothing waits." }
                return Output.table(
                    ["QUEUED", "METHOD", "STATUS", "TRIES", "ID", "WHY"],
                    commands.map { command in
                        [
                            Output.time(command["timestamp"]?.integerValue), command["method"]?.stringValue ?? "",
                            command["status"]?.stringValue ?? "", String(command["retries"]?.integerValue ?? 0),
                            command["id"]?.stringValue ?? "", command["errorMessage"]?.stringValue ?? "",
                        ]
                    }
                )
            }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Try a failed one again.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its id.") var id: String

        func run() async throws {
            let answer = try await global.client(for: .phone).call("queue.retry", ["id": .string(id)])
            Output.result(answer, as: global.json) { "\($0["method"]?.stringValue ?? id) waits again." }
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
            Output.result(answer, as: global.json) { "Removed \($0["method"]?.stringValue ?? id)." }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take all out, or those for one computer.")
        @OptionGroup var global: GlobalOptions
        @Option(name: [.customLong("to")], help: "The computer's id or name.") var computer: String?

        func run() async throws {
            let params: JSONValue = ["device": computer.map(JSONValue.string) ?? .null]
            let answer = try await global.client(for: .phone).call("queue.clear", params)
            Output.result(answer, as: global.json) { "Removed \($0["removed"]?.integerValue ?? 0)." }
        }
    }
}
