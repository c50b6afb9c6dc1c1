package import CommandClient
package import CommandServer
package import Foundation
package import Kernel
package import Pairing
package import Rights
package import TandemDesktop
package import TandemPhone
package import Transport

/// A home of one computer and one phone, by the names that it needs then.
extension Home {
    /// The parts of a home of one computer and one phone.
    package struct Plan: Sendable {
        package var host: [CommandFeatureMaker]
        package var phone: [PeerFeatureMaker]
        package var notifier: (any DesktopNotifier)?
        /// Whether the computer says yes to every phone that asks.
        package var acceptsEverybody: Bool
        /// The values that the owner set for features, by the settings' names.
        package var settings: [String: JSONValue] = [:]
        /// Whether the computer's own server listens on a socket of loopback too, for the routes of features.
        package var servesSockets = false
        package var timing: SessionTiming
        /// What time it is when the home is made; nil for the system's.
        package var date: Date?
        /// The version of both programs.
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

    /// As ``run(hubs:computers:phones:date:_:)``, with a hub that only relays.
    package static func run(_ plan: Plan, _ body: @Sendable (Home) async throws -> Void) async throws {
        var computer = ComputerPlan(features: plan.host)
        computer.notifier = plan.notifier
        computer.acceptsEverybody = plan.acceptsEverybody
        computer.settings = plan.settings
        computer.servesSockets = plan.servesSockets
        computer.version = plan.version
        computer.limits = plan.limits
        computer.timing = plan.timing
        var phone = PhonePlan(features: plan.phone)
        phone.version = plan.version
        phone.timing = plan.timing
        try await run(computers: [computer], phones: [phone], date: plan.date, body)
    }

    /// The only computer, while it runs.
    ///
    /// - Throws: ``HomeError``.
    package var desktop: Desktop { get async throws { try await Self.only(computers).role } }

    /// The only phone, while it runs.
    ///
    /// - Throws: ``HomeError``.
    package var phone: Phone { get async throws { try await Self.only(phones).role } }

    package func startDesktop(named name: String? = nil) async throws {
        try await Self.only(computers).start(named: name)
    }
    package func stopDesktop() async { for computer in computers { await computer.stop() } }
    package func startPhone(named name: String? = nil) async throws { try await Self.only(phones).start(named: name) }

    /// Returns when the computer knows that the phone is away.
    package func stopPhone() async { for phone in phones { await stop(phone) } }

    /// A feature of the computer that runs.
    package func feature<Feature: CommandFeature>(_ type: Feature.Type) async throws -> Feature? {
        try await Self.only(computers).feature(type)
    }

    /// Pairs by the computer's code.
    @discardableResult
    package func pair(allowing rights: Set<Right> = []) async throws -> PairedDesktop {
        try await pair(Self.only(phones), with: Self.only(computers), allowing: rights)
    }

    /// The record of the phone at the computer.
    ///
    /// - Throws: ``HomeError`` unless exactly one phone is paired.
    package func record() async throws -> PairedPhone { try await Self.only(computers).record() }

    package func allow(_ rights: Set<Right>) async throws { try await Self.only(computers).allow(rights) }

    package func deny(_ rights: Set<Right>) async throws { try await Self.only(computers).deny(rights) }

    /// Returns once the phone has a session with the computer.
    package func connected(_ computer: PairedDesktop) async throws {
        try await Self.only(phones).connected(to: computer)
    }
}
