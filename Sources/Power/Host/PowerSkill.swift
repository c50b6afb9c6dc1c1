package import Capabilities
package import CommandServer
import Commands
import Power
import Rights

/// Locking this computer, putting it to sleep, and waking others in its network.
/// Source: `docs/protocol.md`, "Saved commands, lock and sleep".
package struct PowerSkill: CommandFeature {
    package static let manifest = FeatureManifest("power", rights: [.power, .powerWake])

    private let access: any PowerAccess

    package init(_ access: any PowerAccess) { self.access = access }

    package static func maker(_ access: any PowerAccess) -> CommandFeatureMaker {
        CommandFeatureMaker(manifest) { _ in PowerSkill(access) }
    }

    /// Whether this computer can be locked, put to sleep and woken.
    package func checks() async -> [DoctorCheck] {
        async let lock = access.lockObstacle()
        async let sleep = access.sleepObstacle()
        let interfaces = await access.interfaces()
        let awake = interfaces.filter { $0.isWakeOn == true }
        let obstacles = [await lock, await sleep]
        let wake =
            if !awake.isEmpty {
                "a magic packet wakes it at \(awake.map(\.name).joined(separator: ", "))"
            } else if interfaces.isEmpty {
                "It has no network card that a magic packet reaches."
            } else if let deaf = interfaces.first(where: { $0.isWakeOn == false }) {
                "Its network card does not listen for magic packets while it sleeps: sudo ethtool -s \(deaf.name) wol g"
            } else {
                "The system does not say whether a network card listens for magic packets while it sleeps."
            }
        return zip(["Lock", "Sleep"], obstacles).map { name, obstacle in
            DoctorCheck(name: name, works: obstacle == nil, detail: obstacle ?? "by the system's manager of sessions")
        } + [DoctorCheck(name: "Wake", works: !awake.isEmpty, detail: wake)]
    }

    package var methods: [RemoteMethod] {
        [
            PowerMethods.status.served { [access] _, _ in
                async let lock = access.lockObstacle()
                async let sleep = access.sleepObstacle()
                async let interfaces = access.interfaces()
                return PowerStatus(lockObstacle: await lock, sleepObstacle: await sleep, interfaces: await interfaces)
            },
            PowerMethods.lock.served { [access] _, _ in
                try await access.lock()
                return Done()
            },
            PowerMethods.sleep.served { [access] _, _ in
                try await access.sleep()
                return Done()
            },
            PowerMethods.wake.served { [access] request, _ in
                WakeSent(packetCount: try await access.wake(request.addresses.map { MagicPacket(for: $0) }))
            },
        ].flatMap(\.self)
    }
}
