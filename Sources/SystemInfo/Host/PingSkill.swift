package import CommandServer
import Commands
package import Foundation
import Kernel
package import Rights
import SystemInfo

/// What every paired device may ask: that the computer is there. All that is served where the computer tells nothing of itself.
package struct PingSkill: HostFeature {
    private let version: String
    private let now: @Sendable () -> Date
    private let doctor: @Sendable () async -> [DoctorCheck]

    /// - Parameter version: Tandem's.
    package init(
        version: String,
        now: @escaping @Sendable () -> Date = { Date() },
        checks: @escaping @Sendable () async -> [DoctorCheck] = { [] }
    ) {
        self.version = version
        self.now = now
        doctor = checks
    }

    /// The owner can give them all the same: they are part of what phones are offered at pairing.
    package var rights: [RightDeclaration] { [.systemInformation, .systemLogs] }

    package var methods: [RemoteMethod] {
        SystemMethods.ping.served { [now, version] _, _ in
            Pong(timestamp: now().millisecondsSince1970, version: version)
        }
    }

    package func checks() async -> [DoctorCheck] { await doctor() }
}
