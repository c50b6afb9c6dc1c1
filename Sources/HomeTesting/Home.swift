package import CommandClient
package import CommandServer
package import Foundation
package import Kernel
import Logging
package import Pairing
package import Rights
import Sealing
import SignalingServer
package import SignalingTesting
import Storage
package import TandemDesktop
package import TandemPhone
package import Transport

/// A computer and a phone with their real compositions, over signaling servers and databases in memory. Made in milliseconds; each of them can be
/// ended and started again, and finds what it kept.
package actor Home {
    /// What a home is made of.
    package struct Plan: Sendable {
        package var host: [CommandFeatureMaker]
        package var phone: [PeerFeatureMaker]
        package var notifier: (any DesktopNotifier)?
        /// Whether the computer says yes to every phone that asks.
        package var acceptsEverybody: Bool
        /// What the owner set for features.
        package var settings: [String: JSONValue] = [:]
        /// Whether the computer's own server listens on a socket of loopback too, for the routes of features.
        package var servesSockets = false
        package var timing: SessionTiming
        /// What time it is when the home is made; nil for the system's.
        package var date: Date?
        /// Of the programs.
        package var version = "1"
        /// How often a device may ask the computer.
        package var limits = GateLimits()

        package init(
            host: [CommandFeatureMaker] = [],
            phone: [PeerFeatureMaker] = .standard,
            notifier: (any DesktopNotifier)? = nil,
            acceptsEverybody: Bool = true,
            timing: SessionTiming = SessionTiming()
        ) {
            self.host = host
            self.phone = phone
            self.notifier = notifier
            self.acceptsEverybody = acceptsEverybody
            self.timing = timing
        }
    }

    private static let desktopPort = 9001
    private static let hubPort = 9000

    package nonisolated let network = InMemoryNetwork()
    private nonisolated let calendar: Calendar
    private let plan: Plan
    private let desktopState: RoleState
    private let phoneState: RoleState
    private let logger: Logger
    private var desktopRun: (role: Desktop, task: Task<Void, any Error>)?
    private var phoneRun: (role: Phone, task: Task<Void, any Error>)?

    private init(_ plan: Plan) throws {
        var logger = Logger(label: "home")
        logger.logLevel = .critical
        self.plan = plan
        self.logger = logger
        calendar = Calendar(plan.date)
        desktopState = try .inMemory(schema: .desktop(with: plan.host)) { DeviceID.certified(by: $0.did) }
        phoneState = try .inMemory(schema: .phone(with: plan.phone)) { _ in UUID().uuidString.lowercased() }
    }

    /// Makes a home for the length of `body`, with both roles running and registered.
    package static func run(_ plan: Plan, _ body: @Sendable (Home) async throws -> Void) async throws {
        let home = try Home(plan)
        try await home.startDesktop()
        try await home.startPhone()
        let result: Result<Void, any Error>
        do {
            try await body(home)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await home.stopPhone()
        await home.stopDesktop()
        try result.get()
    }

    // MARK: Roles

    /// The computer that runs.
    ///
    /// - Throws: ``HomeError`` while it is stopped.
    package var desktop: Desktop {
        get throws {
            guard let desktopRun else { throw HomeError.stopped }
            return desktopRun.role
        }
    }

    package var phone: Phone {
        get throws {
            guard let phoneRun else { throw HomeError.stopped }
            return phoneRun.role
        }
    }

    package func startDesktop() async throws {
        guard desktopRun == nil else { return }
        let make: @Sendable (SignalingServerConfiguration) throws -> any OwnServer = { _ in
            InMemoryServer(port: Self.desktopPort)
        }
        let inMemory = plan.servesSockets ? nil : make
        var server = SignalingServerConfiguration()
        (server.address, server.port) = ("127.0.0.1", 0)
        let configuration = DesktopConfiguration(
            device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
            version: plan.version,
            server: server,
            hubURL: URL(string: "ws://127.0.0.1:\(Self.hubPort)"),
            acceptsEverybody: plan.acceptsEverybody,
            features: plan.host,
            featureSettings: plan.settings,
            notifier: plan.notifier,
            makeServer: inMemory,
            limits: plan.limits,
            signaling: network.access,
            time: calendar,
            timing: plan.timing
        )
        let desktop = try Desktop(state: desktopState, configuration: configuration, logger: logger)
        desktopRun = (desktop, Task { try await desktop.run() })
        await registered(desktop.device.deviceID, at: [try await desktop.boundPort(), Self.hubPort])
    }

    package func startPhone() async throws {
        guard phoneRun == nil else { return }
        let phone = try Phone(
            state: phoneState,
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: "My phone", platform: .iOS),
                version: plan.version,
                hubURL: URL(string: "ws://127.0.0.1:\(Self.hubPort)"),
                features: plan.phone,
                signaling: network.access,
                time: calendar,
                callTime: calendar,
                timing: plan.timing
            ),
            logger: logger
        )
        phoneRun = (phone, Task { try await phone.run() })
    }

    /// A feature of the computer that runs.
    package func feature<Feature: CommandFeature>(_ type: Feature.Type) throws -> Feature? {
        try desktop.feature(type)
    }

    /// Ends the computer's program as at shutdown; what it kept stays.
    package func stopDesktop() async {
        guard let run = desktopRun else { return }
        desktopRun = nil
        run.task.cancel()
        _ = await run.task.result
    }

    /// Ends the phone's program, and returns when the computer knows that the phone is away.
    package func stopPhone() async {
        guard let run = phoneRun else { return }
        phoneRun = nil
        run.task.cancel()
        _ = await run.task.result
        while let desktop = desktopRun?.role, await desktop.path(to: phoneState.identity.did) != nil {
            await Task.yield()
        }
    }

    /// The dates that both write down move on.
    package nonisolated func pass(_ time: Duration) { calendar.pass(time) }

    // MARK: Pairing and calls

    /// Pairs by the computer's code.
    @discardableResult
    package func pair(allowing rights: Set<Right> = []) async throws -> PairedDesktop {
        let shown = try await desktop.pairing.makeCode()
        let paired = try await phone.pairing.pair(with: phone.pairing.read(shown.qrText))
        if !rights.isEmpty { try await allow(rights) }
        return paired
    }

    /// The record of the phone at the computer.
    ///
    /// - Throws: ``HomeError`` unless exactly one phone is paired.
    package func record() throws -> PairedPhone {
        let phones = try desktop.pairedPhones()
        guard phones.count == 1 else { throw HomeError.phones(phones.count) }
        return phones[0]
    }

    package func allow(_ rights: Set<Right>) async throws {
        _ = try await desktop.allow(rights, to: record())
    }

    package func deny(_ rights: Set<Right>) async throws {
        try await desktop.deny(rights, to: record())
    }

    /// Returns once the phone has a session with the computer.
    package func connected(_ computer: PairedDesktop) async throws {
        for await state in try await phone.paths(to: computer) {
            if case .connected = state { return }
        }
        throw HomeError.stopped
    }

    private func registered(_ id: String, at ports: [Int]) async {
        for port in ports {
            while !network.relay(port: port).onlineIDs.contains(id) { await Task.yield() }
        }
    }
}

/// Why a home has not what was asked of it.
package enum HomeError: Error {
    case stopped
    case phones(Int)
}
