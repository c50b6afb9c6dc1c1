package import CommandClient
package import Foundation
import Kernel
package import Pairing
package import Sealing
package import Signaling
import SignalingTesting
import Storage
package import TandemPhone
package import Transport

/// A phone of a home before it is made.
package struct PhonePlan: Sendable {
    /// The name by which computers and tests know it.
    package var name: String
    /// The person whose computers it is paired with: see ``Home/pairOwners(allowing:)``.
    package var owner: String
    /// The name of the hub through which it meets computers elsewhere.
    package var hub: String
    package var features: [PeerFeatureMaker]
    /// The program's version.
    package var version = "1"
    package var timing = SessionTiming()
    /// How it meets servers, and its hub's address there; nil for the home's in memory.
    package var signaling: (access: SignalAccess, hub: URL)?

    package init(
        _ name: String = "My phone",
        owner: String = "Ada",
        hub: String = "hub",
        features: [PeerFeatureMaker] = .standard
    ) {
        self.name = name
        self.owner = owner
        self.hub = hub
        self.features = features
    }
}

/// A phone of a home: its program can be ended and started again, and finds what it kept.
package actor HomePhone {
    package nonisolated let plan: PhonePlan
    /// The identity by which computers know it.
    package nonisolated let did: DID
    private let hubPort: Int
    private let surroundings: HomeSurroundings
    private let state: RoleState
    private var running: (role: Phone, task: Task<Void, any Error>)?

    /// - Parameter folder: Where its state is; nil for a state in memory.
    init(_ plan: PhonePlan, hubPort: Int, in surroundings: HomeSurroundings, folder: StateFolder? = nil) throws {
        let schema = Schema.phone(with: plan.features)
        let state =
            try folder.map { try RoleState($0, schema: schema) }
            ?? RoleState.inMemory(schema: schema) { _ in UUID().uuidString.lowercased() }
        self.plan = plan
        self.hubPort = hubPort
        self.surroundings = surroundings
        self.state = state
        did = state.identity.did
    }

    /// The program that runs.
    ///
    /// - Throws: ``HomeError/stopped`` while it is ended.
    package var role: Phone {
        get throws {
            guard let running else { throw HomeError.stopped }
            return running.role
        }
    }

    /// - Parameter name: What it is called from now on; nil: as planned.
    package func start(named name: String? = nil) throws {
        guard running == nil else { return }
        let phone = try Phone(
            state: state,
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: name ?? plan.name, platform: .iOS),
                version: plan.version,
                hubURL: plan.signaling?.hub ?? URL(string: "ws://127.0.0.1:\(hubPort)"),
                features: plan.features,
                signaling: plan.signaling?.access ?? surroundings.network.access,
                time: surroundings.time,
                callTime: surroundings.time,
                timing: plan.timing
            ),
            logger: surroundings.logger
        )
        running = (phone, Task { try await phone.run() })
    }

    /// Ends its program as at shutdown; what it kept stays. Computers may not have noticed yet: see ``Home/stop(_:)``.
    package func stop() async {
        guard let run = running else { return }
        running = nil
        run.task.cancel()
        _ = await run.task.result
    }

    /// Returns once it has a session with the computer.
    ///
    /// - Throws: ``HomeError/stopped`` where the computer is forgotten before.
    package func connected(to computer: PairedDesktop) async throws {
        for await state in try await role.paths(to: computer) {
            if case .connected = state { return }
        }
        throw HomeError.stopped
    }
}
