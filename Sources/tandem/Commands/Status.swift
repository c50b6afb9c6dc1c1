import ArgumentParser
import Control
import Kernel

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Who runs here, where it listens and what it is connected to."
    )

    @OptionGroup var global: GlobalOptions

    @Argument(help: "hub, desktop or phone.")
    var role: Role = .desktop

    func run() async throws {
        let answer = try await global.client(for: role).call("status")
        Output.result(answer, as: global.json) { answer in
            (answer.objectValue ?? [:]).sorted { $0.key < $1.key }
                .map { "\($0.key): \($0.value.stringValue ?? $0.value.canonicalText)" }
                .joined(separator: "\n")
        }
    }
}
