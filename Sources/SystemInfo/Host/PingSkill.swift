package import Capabilities
package import CommandServer
import Commands
package import Kernel
package import SystemInfo

/// The methods that every paired device may call: that the computer is there, and which page for phones it has. Nothing else is served where the
/// computer tells nothing of itself.
package struct PingSkill: CommandFeature {
    private let version: String
    private let time: any TimeSource
    private let page: (@Sendable () async throws -> PageBundle)?
    private let doctor: @Sendable () async -> [DoctorCheck]

    /// - Parameters:
    ///   - version: Tandem's.
    ///   - page: The page for phones; nil where the program has none.
    package init(
        version: String,
        time: any TimeSource = .system,
        page: (@Sendable () async throws -> PageBundle)? = nil,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) {
        self.version = version
        self.time = time
        self.page = page
        doctor = checks
    }

    package var methods: [RemoteMethod] {
        let ping = SystemMethods.ping.served { [time, version] _, _ in
            Pong(timestamp: time.date.millisecondsSince1970, version: version)
        }
        guard let page else { return ping }
        return ping + SystemMethods.page.served { _, _ in try await page() }
    }

    package func checks() async -> [DoctorCheck] { await doctor() }
}
