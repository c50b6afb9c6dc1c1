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
        let role = try await role.role(among: [.desktop, .phone, .hub], global)
        try await global.show(.status, of: role) { Output.members($0) }
    }
}
