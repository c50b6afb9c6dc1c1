package import CommandServer
import Commands
package import Kernel
package import Rights
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

    /// The owner can give them all the same: they are part of what phones are offered at pairing.
    package var rights: [RightDeclaration] { [.systemInformation, .systemLogs] }

    package var methods: [RemoteMethod] {
        SystemMethods.ping.served { [time, version] _, _ in
            Pong(timestamp: time.date.millisecondsSince1970, version: version)
        }
    }

    package func checks() async -> [DoctorCheck] { await doctor() }
}
