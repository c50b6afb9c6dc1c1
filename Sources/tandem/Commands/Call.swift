import ArgumentParser
import Control
import Foundation
import Kernel

struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call one method of a paired computer, from the phone's side.",
        discussion: "For example: tandem call system.ping"
    )

    @OptionGroup var global: GlobalOptions

    @Option(name: [.customLong("to")], help: "The computer's id or name, where several are paired.")
    var computer: String?

    @Option(help: "Seconds to wait for the answer, above 0.")
    var timeout: Int = 30

    @Argument(help: "The method, for example system.ping.")
    var method: String

    @Argument(help: "Its parameters, a JSON object.")
    var parameters: String = "{}"

    func validate() throws {
        guard timeout > 0 else { throw ValidationError("--timeout is in seconds and must be above 0, not \(timeout).") }
        guard (try? JSONValue(parsing: parameters.utf8))?.objectValue != nil else {
            throw ValidationError("The parameters must be a JSON object such as '{\"path\":\"~\"}', not \(parameters)")
        }
    }

    func run() async throws {
        let answer = try await global.client(for: .phone).call(
            "call",
            [
                "method": .string(method), "params": try JSONValue(parsing: parameters.utf8),
                "device": computer.map(JSONValue.string) ?? .null, "timeout": .integer(Int64(timeout)),
            ]
        )
        Output.result(answer.canonicalText)
    }
}
