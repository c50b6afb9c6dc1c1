import CommandServer
import Foundation
import Kernel
import Logging
import Pairing
import Sealing
import Signaling
import SignalingServer
import SystemInfoHost
import TandemHub
import TandemPhone
import Testing
import Transport

@testable import TandemDesktop

/// A hub, a computer and a phone on loopback, each on a state folder of its own, for the length of one test.
struct Household: Sendable {
    let hub: Hub
    let hubURL: URL
    let desktop: Desktop
    let desktopFolder: StateFolder
    let desktopPort: Int
    let phone: Phone

    /// - Parameters:
    ///   - features: What the computer serves beside `system.ping`.
    ///   - advertise: Makes the address in the computer's code from its port; nil for the port itself.
    static func run(
        acceptsEverybody: Bool = true,
        features: [CommandFeatureMaker] = [],
        notifier: (any DesktopNotifier)? = nil,
        advertise: (@Sendable (_ port: Int) async throws -> URL)? = nil,
        _ body: @escaping @Sendable (Household) async throws -> Void
    ) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "th-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let hub = try Hub(
            folder: StateFolder(root.appending(path: "h")),
            server: server(),
            version: "1",
            logger: logger
        )
        let hubTask = Task { try await hub.run() }
        let hubURL = try #require(URL(string: "ws://127.0.0.1:\(try await hub.server.boundPort())"))
        var configuration = DesktopConfiguration(
            device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
            version: "1",
            server: server(),
            hubURL: hubURL,
            acceptsEverybody: acceptsEverybody,
            features: [SystemSkill.maker(information: nil)] + features,
            notifier: notifier
        )
        if let advertise {
            // The way to the computer exists before the computer: a port is reserved for it.
            configuration.server.port = try await FreePort.reserve()
            configuration.advertisedURL = try await advertise(configuration.server.port)
        }
        let desktopFolder = try StateFolder(root.appending(path: "d"))
        let desktop = try Desktop(
            folder: desktopFolder,
            configuration: configuration,
            logger: logger
        )
        let desktopTask = Task { try await desktop.run() }
        let phone = try Phone(
            folder: StateFolder(root.appending(path: "p")),
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: "My phone", platform: .iOS),
                version: "1",
                hubURL: hubURL
            ),
            logger: logger
        )
        let phoneTask = Task { try await phone.run() }
        let result: Result<Void, any Error>
        do {
            let household = Household(
                hub: hub,
                hubURL: hubURL,
                desktop: desktop,
                desktopFolder: desktopFolder,
                desktopPort: try await desktop.boundPort(),
                phone: phone
            )
            // A message for a computer that has not registered yet would be kept for it: another story.
            while !Task.isCancelled, desktop.network.states().contains(where: { $0.state.presence == nil }) {
                await Task.yield()
            }
            try await body(household)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for task in [phoneTask, desktopTask, hubTask] {
            task.cancel()
            _ = await task.result
        }
        try result.get()
    }

    private static func server() -> SignalingServerConfiguration {
        var configuration = SignalingServerConfiguration()
        configuration.address = "127.0.0.1"
        configuration.port = 0
        return configuration
    }

    /// Pairs by the computer's code.
    @discardableResult
    func pair() async throws -> PairedDesktop {
        let shown = try await desktop.pairing.makeCode()
        return try await phone.pairing.pair(with: phone.pairing.read(shown.qrText))
    }

    /// Returns once the phone reaches the computer that way.
    func path(_ kind: LinkKind, to computer: PairedDesktop) async {
        while !Task.isCancelled, await phone.path(to: computer.pcPeerID) != kind { await Task.yield() }
    }

    /// The phone's person types a code from the computer's screen.
    @discardableResult
    func typed(_ digits: String) async throws -> PairedDesktop {
        try await phone.pairing.pair(typing: TypedCode(digits))
    }

    func phonesLeave() async throws {
        while !Task.isCancelled, !desktop.pairedPhones().isEmpty { await Task.yield() }
    }

    func computersLeave() async throws {
        while !Task.isCancelled, await !phone.pairedDesktops().isEmpty { await Task.yield() }
    }
}
