import ArgumentParser
import CommandClient
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
        let call = MethodCall(method, params, device: remote.target.computer, timeout: remote.timeout)
        let limit: Duration = .seconds(remote.timeout)
        let wire = try await remote.client.call(QueueControl.call.asWire, call, within: limit)
        let outcome: QueueControl.Outcome = try wire.controlAnswer()
        if let evicted = outcome.evicted?.method {
            Output.complain("The queue was full: the oldest command, \(evicted), will not be done.")
        }
        try Output.result(wire, as: remote.global.json) { (outcome: QueueControl.Outcome) in
            outcome.queued
                ? "Queued: it is done when the computer is there. See: tandem queue"
                : TerminalText.json((outcome.result ?? .null).canonicalText)
        }
    }
}
