import ArgumentParser
import Control
import Foundation
import Kernel

/// The choice of a role, for a command that several roles answer.
struct RoleOptions: ParsableArguments {
    /// How long a running role may take to say what it is: on a busy machine, some seconds.
    static let patience: Duration = .seconds(10)

    @Option(
        help: ArgumentHelp(
            "Whose side, where several can answer. Default: the one that runs, where it is the only one.",
            valueName: "role"
        )
    )
    var role: Role?

    /// - Parameters:
    ///   - roles: Those that can answer, with the one first that is meant where several run or none.
    func role(among roles: [Role], _ global: GlobalOptions) async throws -> Role {
        guard let first = roles.first else { throw ValidationError("No role answers this.") }
        if let role {
            guard roles.contains(role) else {
                let names = roles.map(\.rawValue).joined(separator: " or ")
                throw ValidationError("--role is \(names) here, not \(role.rawValue).")
            }
            return role
        }
        guard roles.count > 1 else { return first }
        if global.chosenState() != nil {
            // One folder, one process: it says what it is.
            let running = await Self.running(at: global.location(of: first))
            return running.flatMap { roles.contains($0) ? $0 : nil } ?? first
        }
        var found: [Role] = []
        for role in roles where await Self.running(at: global.location(of: role)) == role { found.append(role) }
        return found.count == 1 ? found[0] : first
    }

    /// The role of the process that owns the folder; nil when none runs there, or says nothing.
    private static func running(at folder: URL) async -> Role? {
        let client = ControlClient(folder: StateFolder(at: folder), role: "")
        let status: RoleStatus? = try? await withTimeout(
            patience,
            on: .system,
            throwing: ControlError.connectionLost
        ) { try await client.call(.status) }
        return status.flatMap { Role(rawValue: $0.role) }
    }
}
