package import Capabilities
package import CommandServer
import Foundation
package import Kernel
package import Pairing
package import Rights
import Sealing
import SignalingServer
import SignalingTesting
import Storage
package import TandemDesktop
package import Transport

/// A computer of a home before it is made.
package struct ComputerPlan: Sendable {
    /// The name by which phones and tests know it.
    package var name: String
    /// The person whose phones it is paired with: see ``Home/pairOwners(allowing:)``.
    package var owner: String
    /// The name of the hub where it is met from elsewhere.
    package var hub: String
    package var features: [CommandFeatureMaker]
    /// The features of a hub that it serves, as a computer does that is a hub too.
    package var served: [ServedFeatureMaker] = []
    /// The values that the owner set for features, by the settings' names.
    package var settings: [String: JSONValue] = [:]
    package var notifier: (any DesktopNotifier)?
    /// Whether it says yes to every phone that asks.
    package var acceptsEverybody = true
    /// Whether its own server listens on a socket of loopback too, for the routes of features.
    package var servesSockets = false
    /// The program's version.
    package var version = "1"
    /// How often a device may ask it.
    package var limits = GateLimits()
    package var timing = SessionTiming()

    package init(
        _ name: String = "studio-pc",
        owner: String = "Ada",
        hub: String = "hub",
        features: [CommandFeatureMaker] = []
    ) {
        self.name = name
        self.owner = owner
        self.hub = hub
        self.features = features
    }
}

/// A computer of a home: its program can be ended and started again, and finds what it kept.
package actor HomeComputer {
    package nonisolated let plan: ComputerPlan
    private let port: Int
    private let hubPort: Int
    private let surroundings: HomeSurroundings
    private let state: RoleState
    private var running: (role: Desktop, task: Task<Void, any Error>)?

    /// - Parameter port: The port of its own relay in memory, which no other has.
    init(_ plan: ComputerPlan, port: Int, hubPort: Int, in surroundings: HomeSurroundings) throws {
        self.plan = plan
        self.port = port
        self.hubPort = hubPort
        self.surroundings = surroundings
        state = try .inMemory(schema: .desktop(with: plan.features, serving: plan.served)) {
            DeviceID.certified(by: $0.did)
        }
    }

    /// The program that runs.
    ///
    /// - Throws: ``HomeError/stopped`` while it is ended.
    package var role: Desktop {
        get throws {
            guard let running else { throw HomeError.stopped }
            return running.role
        }
    }

    /// Returns once it is registered at its own relay and at its hub's.
    ///
    /// - Parameter name: What it is called from now on; nil: as planned.
    package func start(named name: String? = nil) async throws {
        guard running == nil else { return }
        let make: @Sendable (SignalingServerConfiguration) throws -> any OwnServer = { [port] _ in
            InMemoryServer(port: port)
        }
        var server = SignalingServerConfiguration()
        (server.address, server.port) = ("127.0.0.1", 0)
        let configuration = DesktopConfiguration(
            device: PairingDeviceInfo(name: name ?? plan.name, platform: .linux, version: "1"),
            version: plan.version,
            server: server,
            hubURL: URL(string: "ws://127.0.0.1:\(hubPort)"),
            acceptsEverybody: plan.acceptsEverybody,
            features: plan.features,
            served: plan.served,
            featureSettings: plan.settings,
            notifier: plan.notifier,
            makeServer: plan.servesSockets ? nil : make,
            limits: plan.limits,
            signaling: surroundings.network.access,
            time: surroundings.time,
            timing: plan.timing
        )
        let desktop = try Desktop(state: state, configuration: configuration, logger: surroundings.logger)
        running = (desktop, Task { try await desktop.run() })
        for port in [try await desktop.boundPort(), hubPort] {
            let relay = surroundings.network.relay(port: port)
            while !relay.onlineIDs.contains(desktop.device.deviceID) { await Task.yield() }
        }
    }

    /// Ends its program as at shutdown; what it kept stays.
    package func stop() async {
        guard let run = running else { return }
        running = nil
        run.task.cancel()
        _ = await run.task.result
    }

    /// A feature of the program that runs.
    package func feature<Feature: CommandFeature>(_ type: Feature.Type) throws -> Feature? { try role.feature(type) }

    /// Whether its program runs and has a way to the phone.
    func reaches(_ phone: HomePhone) async -> Bool {
        guard let desktop = running?.role else { return false }
        return await desktop.path(to: phone.did) != nil
    }

    // MARK: Paired phones

    /// The record of a phone, or of the only one.
    ///
    /// - Throws: ``HomeError/found(_:)`` where that is not one record.
    package func record(of phone: HomePhone? = nil) throws -> PairedPhone {
        let phones = try role.pairedPhones().filter { phone == nil || $0.did == phone?.did }
        guard phones.count == 1 else { throw HomeError.found(phones.count) }
        return phones[0]
    }

    package func allow(_ rights: Set<Right>, to phone: HomePhone? = nil) async throws {
        try await role.allow(rights, to: record(of: phone))
    }

    package func deny(_ rights: Set<Right>, to phone: HomePhone? = nil) async throws {
        try await role.deny(rights, to: record(of: phone))
    }
}
