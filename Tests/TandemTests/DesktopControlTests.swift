import Clipboard
import Control
import Foundation
import Kernel
import LinuxTerminal
import Logging
import Pairing
import Rights
import Screen
import Sealing
import SignalingServer
import TandemPhone
import TerminalHost
import Testing

@testable import TandemDesktop

@Suite("A computer's commands", .timeLimit(.minutes(4)))
struct DesktopControlTests {
    @Test("the status names the shell, the clipboard and the screen that a phone keeps going")
    func activities() async throws {
        let features =
            [TerminalSkill.maker(factory: LinuxPseudoTerminalFactory.withoutProfile)] + MemoryDesktopSession.features
        try await Household.run(features: features) { home in
            let computer = try await home.pair()
            #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
            try await home.desktop.ask("devices.allow", ["skills": ["terminal", "clipboard", "display"]])
            #expect(try await home.desktop.ask("status")["activities"]?.arrayValue?.isEmpty == true)
            _ = try await home.phone.call("terminal.create", ["shell": "sh"], on: computer)
            _ = try await home.phone.call("clipboard.watch", [:], on: computer)
            _ = try await home.phone.call("display.screenshot", [:], on: computer)
            let status = try await home.desktop.ask("status")
            let activities = try #require(status["activities"]?.arrayValue)
            #expect(activities.compactMap { $0["kind"]?.stringValue } == ["clipboard", "screen", "terminal"])
            #expect(
                activities.compactMap { $0["words"]?.stringValue } == [
                    "watches the clipboard", "takes pictures of the screen", "has a shell open",
                ]
            )
            #expect(activities.allSatisfy { $0["name"]?.stringValue == "My phone" })
            #expect(activities.allSatisfy { $0["device"]?.stringValue == home.phone.identity.did })
        }
    }

    @Test("the status tells where phones find the computer, and doctor the same of its servers and its database")
    func addresses() async throws {
        try await Household.run { home in
            let status = try await home.desktop.ask("status")
            let port = try #require(status["port"]?.integerValue)
            // It listens on loopback only, so that is where it is found.
            #expect(status["addresses"]?["lan"] == [.string("ws://127.0.0.1:\(port)")])
            let hub = status["hub"]?.stringValue
            #expect(status["addresses"]?["relays"] == .array([hub].compactMap { $0.map(JSONValue.string) }))
            let checks = try await home.desktop.ask("doctor")["checks"]?.arrayValue ?? []
            let names = checks.compactMap { $0["name"]?.stringValue }
            #expect(names.contains("Database"))
            #expect(names.contains("Connection to local"))
            #expect(checks.first { $0["name"] == "Database" }?["works"] == true)
        }
    }

    @Test("the status says why the hub is not reached, and since when")
    func hubAway() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        let began = Date().millisecondsSince1970
        let hubPort = try await FreePort.reserve()
        let desktop = try computer(in: root, hubPort: hubPort)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await desktop.run() }
            var hub: JSONValue = .null
            let reason = "127.0.0.1:\(hubPort) could not be reached: "
            while !Task.isCancelled, hub["reason"]?.stringValue?.hasPrefix(reason) != true {
                await Task.yield()
                let servers = try await desktop.ask("status")["servers"]?.arrayValue ?? []
                hub = try #require(servers.first { $0["name"]?.stringValue == "hub" })
            }
            #expect(hub["registered"] == false)
            let since = try #require(hub["since"]?.integerValue)
            #expect(since >= began)
            #expect(since <= Date().millisecondsSince1970)
        }
    }

    /// A computer whose hub would be on this port.
    private func computer(in root: URL, hubPort: Int) throws -> Desktop {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        var server = SignalingServerConfiguration()
        server.address = "127.0.0.1"
        server.port = 0
        return try Desktop(
            folder: StateFolder(root),
            configuration: DesktopConfiguration(
                device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
                version: "1",
                server: server,
                hubURL: URL(string: "ws://127.0.0.1:\(hubPort)")
            ),
            logger: logger
        )
    }

    @Test("devices allow without an id means the only phone that is paired, and asks which one where there are two")
    func onlyPhone() async throws {
        try await Household.run(features: MemoryDesktopSession.features) { home in
            let initial = home.desktop.phones.records.rights.initial
            try await withSocket(of: home) { socket in
                await #expect(throws: ControlError.refused(DesktopError.noPhone.description)) {
                    try await socket.call("devices.allow", ["skills": ["clipboard"]])
                }
                let computer = try await home.pair()
                #expect(try await home.phone.call("system.ping", [:], on: computer)["pong"] == true)
                let only = try await socket.call("devices.allow", ["skills": ["clipboard"]])
                #expect(only["id"]?.stringValue == home.phone.identity.did)
                #expect(only["changed"] == ["clipboard"])
                let rights = initial.union([.clipboard])
                #expect(home.desktop.pairedPhones().map(\.allowedSkills) == [rights])

                let other = Self.otherPhone(allowed: initial)
                try await home.desktop.phones.records.store.save(other)
                let question = DesktopError.phoneNeeded(["My phone", "Ada's phone"]).description
                await #expect(throws: ControlError.refused(question)) {
                    try await socket.call("devices.allow", ["skills": ["display"]])
                }
                #expect(home.desktop.pairedPhones().map(\.allowedSkills) == [rights, initial])
                let named = try await socket.call(
                    "devices.allow",
                    ["id": .string(other.did.text), "skills": ["display"]]
                )
                #expect(named["id"]?.stringValue == other.did.text)
                #expect(
                    home.desktop.pairedPhones().map(\.allowedSkills) == [
                        rights, initial.union([.display]),
                    ]
                )
            }
        }
    }

    /// Seen long ago, so that it stands behind the other one.
    private static func otherPhone(allowed rights: Set<Right>) -> PairedPhone {
        let identity = Identity()
        return PairedPhone(
            did: identity.did,
            deviceID: "p",
            name: "Ada's phone",
            platform: .android,
            agreementKey: identity.agreementKey,
            pairedAt: Date(timeIntervalSince1970: 0),
            lastSeenAt: Date(timeIntervalSince1970: 0),
            allowedSkills: rights,
            state: .confirmed
        )
    }

    /// Runs `body` beside the socket on which commands talk to the computer.
    private func withSocket(
        of home: Household,
        _ body: @escaping @Sendable (ControlClient) async throws -> Void
    ) async throws {
        let server = ControlServer(
            folder: home.desktopFolder,
            handler: home.desktop.control,
            logger: Logger(label: "test")
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await server.run() }
            await server.listening()
            try await body(ControlClient(folder: home.desktopFolder, role: "desktop"))
        }
    }
}
