package import Capabilities
package import CommandServer
import Commands
package import Kernel
import SystemInfo

/// The methods that every paired device may call to see that the computer is there. Nothing else is served where the computer tells nothing of
/// itself.
package struct PingSkill: CommandFeature {
    private let version: String
    private let time: any TimeSource
    private let doctor: @Sendable () async -> [DoctorCheck]

    /// - Parameter version: Tandem's.
    package init(
        version: String,
        time: any TimeSource = .system,
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) {
        self.version = version
        self.time = time
        doctor = checks
    }

    package var methods: [RemoteMethod] {
        SystemMethods.ping.served { [time, version] _, _ in
            Pong(timestamp: time.date.millisecondsSince1970, version: version)
        }
    }

    package func checks() async -> [DoctorCheck] { await doctor() }
}
