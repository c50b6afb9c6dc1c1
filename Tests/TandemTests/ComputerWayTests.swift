import Capabilities
import CommandClient
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Pairing
import Sealing
import Signaling
import SignalingServer
import SignalingTesting
import Storage
import SystemInfoHost
import TandemDesktop
import Testing
import Transport

@testable import TandemPhone

/// Every phone is a stranger.
private struct NobodyIsPaired: PeerAuthorizer {
    func peer(for agreementKey: AgreementPublicKey, did: DID) async -> SessionPeer? { nil }
}

@Suite("Where a computer is looked for", .timeLimit(.minutes(4)))
struct ComputerWayTests {
    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func computer(lan: String?, relay: String? = nil) throws -> PairedDesktop {
        PairedDesktop(
            pcPeerID: "pc",
            deviceName: "studio-pc",
            lanSignalingURL: try lan.map(url),
            relayURL: try relay.map(url),
            pairedAt: Date(timeIntervalSince1970: 0),
            lastSeenAt: Date(timeIntervalSince1970: 0),
            state: .confirmed
        )
    }

    @Test("a new address takes the place of the one before, unless that still carries something")
    func replaced() throws {
        let old = ComputerWay(url: try url("ws://192.168.1.7:9001"), kind: .lan)
        let new = try computer(lan: "ws://192.168.1.8:9001")
        let gone = ComputerWay.wanted(for: new, told: [], discovered: [], hub: nil, current: [old: false])
        #expect(gone.map(\.url.absoluteString) == ["ws://192.168.1.8:9001"])
        let there = ComputerWay.wanted(for: new, told: [], discovered: [], hub: nil, current: [old: true])
        #expect(there.map(\.url.absoluteString) == ["ws://192.168.1.8:9001", "ws://192.168.1.7:9001"])
    }

    @Test("a server's own numbers are dialed as they are, and a name only where it led")
    func dialable() throws {
        for (text, led, found) in [
            ("ws://192.168.1.7:9001", nil, "192.168.1.7"), ("ws://[fd00::7]:9001", nil, "fd00::7"),
            // Not what a connection to the address says: that may be a proxy's.
            ("ws://192.168.1.7:9001", "10.0.0.1", "192.168.1.7"),
            ("ws://studio-pc.local:9001", "192.168.1.7", "192.168.1.7"), ("wss://desk.example", nil, nil),
            ("wss://desk.example", "desk.example", nil),
            ("ws://studio-pc.local:9001", "::ffff:192.168.1.7", "192.168.1.7"),
            ("ws://studio-pc.local:9001", "fe80::7", nil),
            ("ws://studio-pc.local:9001", "fd00::7", "fd00:0:0:0:0:0:0:7"),
        ] as [(String, String?, String?)] {
            #expect(ComputerWays.dialable(try url(text), connectedTo: led) == found, "\(text) \(led ?? "-")")
        }
    }

    @Test("what anybody on the network claims takes four places, none of the computer's own, and gives way when dead")
    func strangers() throws {
        let claims = try (1...9).map { try url("ws://10.0.0.\($0):9001") }
        let known = try computer(lan: "ws://192.168.1.8:9001", relay: "wss://hub.example.net")
        let told = [try url("ws://192.168.1.9:9001")]
        let first = ComputerWay.wanted(for: known, told: told, discovered: claims, hub: nil, current: [:])
        #expect(
            first.map(\.url) == told + [try url("ws://192.168.1.8:9001")] + claims.prefix(4)
                + [try url("wss://hub.example.net")]
        )
        let current = Dictionary(uniqueKeysWithValues: first.map { ($0, $0.kind == .relay) })
        let second = ComputerWay.wanted(for: known, told: told, discovered: claims, hub: nil, current: current)
        #expect(second.map(\.url).contains(claims[7]))
        #expect(!second.map(\.url).contains(claims[0]))
    }

    @Test("a hub with a local address is no way to the computer itself")
    func hubAtHome() throws {
        let hub = try url("ws://192.168.1.2:9001")
        var computer = try computer(lan: hub.absoluteString)
        let before = ComputerWay.wanted(for: computer, told: [], discovered: [], hub: hub, current: [:])
        #expect(before == [ComputerWay(url: hub, kind: .relay)])
        let own = try SignalingAddress("ws://192.168.1.20:9001")
        computer.take(DeviceAddresses(lan: [own], relays: [])) { $0 == hub }
        #expect(computer.lanSignalingURL == own.url)
        #expect(computer.relayURL == hub)
    }

    @Test("a computer that names another hub is met there, and not at the phone's own")
    func anotherHub() throws {
        let own = try SignalingAddress("ws://192.168.1.20:9001")
        let named = try ["ws://192.168.1.2:9001", "wss://new.example.net"].map { try SignalingAddress($0) }
        let news = DeviceAddresses(lan: [own], relays: named)
        var computer = try computer(lan: own.url.absoluteString, relay: "wss://old.example.net")
        let before = computer
        // Through a hub: that is the one that it names, by another address.
        computer.take(news, isMetAtHub: true) { _ in true }
        #expect(computer == before)
        computer.take(news) { _ in true }
        #expect(computer.relayURL == named[1].url)
        // It is one of those that are named, so it stays.
        computer.take(news) { _ in true }
        #expect(computer.relayURL == named[1].url)
        // Reached only at home: it takes the place of none that is reached from everywhere, and of one like itself.
        computer.take(DeviceAddresses(lan: [own], relays: [named[0]])) { _ in true }
        #expect(computer.relayURL == named[1].url)
        computer.relayURL = try url("ws://192.168.1.3:9001")
        computer.take(DeviceAddresses(lan: [own], relays: [named[0]])) { _ in true }
        #expect(computer.relayURL == named[0].url)
        computer.take(DeviceAddresses(lan: [own], relays: [])) { _ in true }
        #expect(computer.relayURL == named[0].url)

        let hub = try url("wss://hub.example.net")
        let ways = ComputerWay.wanted(for: computer, told: [own.url], discovered: [], hub: hub, current: [:])
        #expect(ways.map(\.url) == [own.url, named[0].url])
        #expect(ways.map(\.kind) == [.lan, .relay])
        // Where the computer's own server is the hub, it is no second way.
        for told in [[hub], []] {
            let ways = ComputerWay.wanted(for: computer, told: told, discovered: [hub], hub: hub, current: [:])
            #expect(ways.filter { $0.url == hub } == [ComputerWay(url: hub, kind: .lan)])
        }
    }

    @Test("what a computer says about its addresses is bounded, and what must not be used is left out")
    func told() throws {
        let texts = (1...9).map { JSONValue.string("ws://192.168.1.\($0):9001") }
        let lan: [JSONValue] = ["ws://example.com", 7, "file:///etc/passwd", "ws://192.168.1.1:9001"]
        let message: JSONValue = ["type": "tandem:addresses", "payload": ["lan": .array(lan), "relay": .array(texts)]]
        let addresses = try #require(DeviceAddresses(message: message))
        #expect(addresses.lan.map(\.url.absoluteString) == ["ws://192.168.1.1:9001"])
        #expect(addresses.relays.count == DeviceAddresses.limit)
        #expect(DeviceAddresses(message: addresses.message) == addresses)
        #expect(DeviceAddresses(message: ["type": "pairing:forget"]) == nil)
        #expect(DeviceAddresses(message: ["type": "tandem:addresses"])?.lan == [])
    }

    @Test("a computer whose address changed ten times is found each time")
    func moves() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tw-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let phone = try Phone(
            folder: StateFolder(root.appending(path: "p")),
            configuration: PhoneConfiguration(device: PairingDeviceInfo(name: "phone", platform: .iOS), version: "1"),
            logger: logger
        )
        let phoneTask = Task { try await phone.run() }
        for _ in 0..<10 { try await meet(phone, root.appending(path: "d"), logger) }
        // Away, and said so: nothing waits the whole time that a call may take.
        let computer = try await phone.desktop(named: nil)
        await #expect(throws: PhoneError.away(name: "studio-pc")) {
            try await phone.call("system.ping", [:], on: computer, timeout: .seconds(50))
        }
        phoneTask.cancel()
        _ = await phoneTask.result
    }

    /// The session of a phone with a computer, without the rest of the phone.
    private func link(
        of own: Identity,
        to other: Identity,
        over network: SignalNetwork,
        time: any TimeSource = .system,
        _ logger: Logger
    ) async throws -> ComputerLink {
        try await ComputerLink(
            desktop: try computer(lan: nil),
            peer: SessionPeer(did: other.did, agreementKey: other.agreementKey),
            identity: own,
            network: network,
            store: InMemorySessionStore(),
            features: try PeerFeatures([], in: FeatureStores(nil, shared: StateDatabase.inMemory(schema: []))) {
                PeerContext(
                    FeatureContext(storage: $0, version: "1.0", logger: logger),
                    computers: PhoneComputers(),
                    identity: own
                )
            },
            queue: .inMemory(),
            timing: SessionTiming(),
            time: time,
            logger: logger
        )
    }

    @Test("the session that a computer refused is over: one of a later pairing takes its place")
    func refused() async throws {
        let (own, other) = (Identity(), Identity())
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let network = SignalNetwork(
            identity: own,
            device: SignalDevice(category: .mobile),
            access: .webSockets(logger: logger)
        )
        let link = try await link(of: own, to: other, over: network, logger)
        let listener = SessionListener(
            identity: other,
            store: InMemorySessionStore(),
            authorizer: NobodyIsPaired(),
            logger: logger
        )
        #expect(!link.isOver)
        let (phoneEnd, computerEnd, _) = InMemoryLink.pair(kind: .lan)
        await listener.add(computerEnd)
        let connection = await link.connection
        await connection.add(phoneEnd)
        for await state in connection.states() where state == .refused(.notPaired) { break }
        #expect(link.isOver)
        await link.close()
        await listener.close()
        await network.close()
    }

    @Test(
        "a call to a computer that is away waits three seconds for it, not its whole time, and says what may wait",
        arguments: [LinkKind.lan, .relay]
    )
    func away(kind: LinkKind) async throws {
        let (own, other) = (Identity(), Identity())
        let clock = ManualClock()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let network = SignalNetwork(
            identity: own,
            device: SignalDevice(category: .mobile),
            access: .webSockets(logger: logger)
        )
        let link = try await link(of: own, to: other, over: network, time: clock, logger)
        // Nobody listens on a port that low: no server is there, and the phone knows it before it calls.
        let way = ComputerWay(url: try url("ws://127.0.0.1:1"), kind: kind)
        await link.ways.use([way])
        while await link.ways.current[way] != false {
            try Task.checkCancellation()
            await Task.yield()
        }
        async let answer = link.invoke("system.ping", [:], timeout: .seconds(30))
        for _ in 0..<15 {
            await clock.sleepers()
            clock.advance(by: .milliseconds(200))
        }
        var reason: (any Error)?
        do {
            _ = try await answer
        } catch {
            reason = error
        }
        let expected: PhoneError = kind == .lan ? .away(name: "studio-pc") : .unreachable(name: "studio-pc")
        #expect(reason as? PhoneError == expected)
        #expect("\(expected)".contains("tandem call --queue"))
        // The next call is told at once that the computer is away; a server may be back, so the try that it wakes may end first.
        let asked = clock.now
        let next = Task {
            do {
                _ = try await link.invoke("system.ping", [:], timeout: .seconds(30))
                return Duration.zero
            } catch {
                #expect(error as? PhoneError == expected)
                return clock.now - asked
            }
        }
        if kind == .relay {
            for _ in 0..<8 {
                await clock.sleeper(for: .milliseconds(200))
                clock.advance(by: .milliseconds(200))
            }
        }
        #expect(await next.value == (kind == .lan ? .zero : .milliseconds(1600)))
        await link.close()
        await network.close()
    }

    @Test("a server whose first try failed is tried a second time for a pairing")
    func triedAgain() async throws {
        let tries = LatestValue(0)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let access = SignalAccess { [logger] identity, _ in
            WebSocketSignalClient(identity: identity, logger: logger) { _ in
                tries.update { $0 += 1 }
                throw SignalError.notConnected
            }
        }
        let network = SignalNetwork(identity: Identity(), device: SignalDevice(category: .mobile), access: access)
        let gate = PhonePairingGate(network: network, time: ManualClock())
        try await gate.connect(to: url("ws://127.0.0.1:1"))
        await #expect(throws: SignalError.notConnected) {
            try await gate.register(as: "phone", device: PairingDeviceInfo(name: "phone", platform: .iOS))
        }
        #expect(tries.value >= 2)
        await network.close()
    }

    /// Starts the computer at an address of its own, pairs it, calls it and ends it.
    private func meet(_ phone: Phone, _ folder: URL, _ logger: Logger) async throws {
        let desktop = try await computer(folder, logger)
        let task = Task { try await desktop.run() }
        let port = try await desktop.boundPort()
        let shown = try await desktop.pairing.makeCode()
        let computer = try await phone.pairing.pair(with: phone.pairing.read(shown.qrText))
        #expect(try await phone.call("system.ping", [:], on: computer)["pong"] == true)
        #expect(await phone.servers().contains { $0.url.port == port })
        #expect(await phone.servers().count <= 3)
        task.cancel()
        _ = await task.result
    }

    private func computer(_ folder: URL, _ logger: Logger) async throws -> Desktop {
        var server = SignalingServerConfiguration()
        server.address = "127.0.0.1"
        server.port = 0
        let configuration = DesktopConfiguration(
            device: PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1"),
            version: "1",
            server: server,
            acceptsEverybody: true,
            features: [SystemSkill.maker(information: nil)]
        )
        while true {
            do {
                return try Desktop(folder: StateFolder(folder), configuration: configuration, logger: logger)
            } catch StateFolderError.inUse {
                // The one before lets go of it when its last task has ended.
                await Task.yield()
            }
        }
    }
}
