import ArgumentParser
import Control
import Kernel

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Who runs here, where it listens and what it is connected to."
    )

    @OptionGroup var global: GlobalOptions

    @OptionGroup var role: RoleOptions

    func run() async throws {
        let answer = try await global.client(for: try await role.role(among: [.desktop, .phone, .hub], global)).call(
            "status"
        )
        try Output.result(answer, as: global.json) { answer in
            Output.members(answer)
        }
    }
}
