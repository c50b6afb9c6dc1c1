import ArgumentParser
import Control
import Foundation
import Kernel

struct Call: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Call one method of a paired computer, from the phone's side.",
        discussion: "For example: tandem call system.ping"
    )

    @OptionGroup var remote: RemoteOptions

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
        let members = try JSONValue(parsing: parameters.utf8).objectValue ?? [:]
        let answer = try await remote.call(method, members)
        Output.result(answer.canonicalText)
    }
}
