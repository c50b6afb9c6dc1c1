import ArgumentParser
import Commands
import Control
import Foundation
import Kernel

struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call one method of a paired computer, from the phone's side.",
        discussion: "For example: tandem call system.ping"
    )

    @OptionGroup var remote: RemoteOptions

    @Flag(help: "Wait on disk until the computer is there, and be done once. For calls that change something.")
    var queue = false

    @Argument(help: "The method, for example system.ping.")
    var method: String

    @Argument(help: "Its parameters, a JSON object.")
    var parameters: String = "{}"

    func validate() throws {
        guard (try? JSONValue(parsing: parameters.utf8))?.objectValue != nil else {
            throw ValidationError("The parameters must be a JSON object such as '{\"path\":\"~\"}', not \(parameters)")
        }
    }

    func run() async throws {
        let params = try JSONValue(parsing: parameters.utf8)
        guard !queue else { return try await enqueue(params) }
        try Output.json(try await remote.answer { try await $0.call(method, params, timeout: ControlPeer.answerTime) })
    }

    private func enqueue(_ params: JSONValue) async throws {
        let answer = try await remote.client.call(
            "queue.call",
            [
                "method": .string(method), "params": params, "device": remote.device,
                "timeout": .integer(Int64(remote.timeout)),
            ]
        )
        if let evicted = answer["evicted"]?["method"]?.stringValue {
            Output.complain("The queue was full: the oldest command, \(evicted), will not be done.")
        }
        try Output.result(answer, as: remote.global.json) { answer in
            answer["result"].map { TerminalText.json($0.canonicalText) }
                ?? "Queued: it is done when the computer is there. See: tandem queue"
        }
    }
}
