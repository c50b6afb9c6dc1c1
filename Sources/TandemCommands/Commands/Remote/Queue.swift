import ArgumentParser
import CommandClient
import Control
import Foundation
import Kernel
import Pairing

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
            let wire = try await client.call(QueueControl.list.asWire)
            guard !global.json else { return try Output.json(wire) }
            let list: QueueControl.CommandList = try wire.forTerminal.controlAnswer()
            guard !list.commands.isEmpty else { return try Output.result("Nothing waits.") }
            let names = try await Self.names(client)
            try Output.result(
                Output.table(
                    ["QUEUED", "COMPUTER", "METHOD", "PARAMETERS", "STATUS", "TRIES", "ID", "WHY"],
                    list.commands.map {
                        [
                            Output.time($0.timestamp), names[$0.desktopId] ?? $0.desktopId, $0.method, $0.parameters,
                            $0.status.rawValue, "\($0.retries)", $0.id, $0.errorMessage ?? "",
                        ]
                    }
                )
            )
        }

        /// The names of the phone's computers, by the id that the queue knows them by.
        private static func names(_ client: ControlClient) async throws -> [String: String] {
            let pairs = try await client.call(DeviceControl.list).devices.map { ($0.id, $0.name) }
            return Dictionary(pairs) { first, _ in first }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Try a failed one again.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its id.") var id: String

        func run() async throws {
            try await global.show(QueueControl.retry, .init(id), of: .phone) { "\($0.method) waits again." }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take one out. One that is on its way may still be done."
        )
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Its id.") var id: String

        func run() async throws {
            try await global.show(QueueControl.remove, .init(id), of: .phone) { "Removed \($0.method)." }
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take all out, or those for one computer.")
        @OptionGroup var global: GlobalOptions
        @Option(help: ArgumentHelp("Only what waits for this computer, by its name or id.", valueName: "name"))
        var computer: String?

        func run() async throws {
            try await global.show(QueueControl.clear, .init(computer), of: .phone) { "Removed \($0.removed)." }
        }
    }
}
