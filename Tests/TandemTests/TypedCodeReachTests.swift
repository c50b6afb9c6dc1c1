import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Pairing
import Sealing
import Signaling
import SignalingServer
import Storage
import Testing

@Suite("Digits that servers refuse", .timeLimit(.minutes(4)))
struct TypedCodeReachTests {
    private static let desktopID = "9f0c6a1be2d34775a1c0ffee00d15ea5"

    private static var silence: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    /// Real signaling servers on free loopback ports, for the length of `body`.
    ///
    /// - Parameter codes: How many codes each of them lets an address show at once; one comes back in ten seconds.
    private func withServers(
        codes: [Double],
        clock: ManualClock,
        _ body: @escaping @Sendable ([URL]) async throws -> Void
    ) async throws {
        var urls: [URL] = []
        var tasks: [Task<Void, any Error>] = []
        for count in codes {
            var configuration = SignalingServerConfiguration()
            (configuration.address, configuration.port) = ("127.0.0.1", 0)
            configuration.limits.addressAliases = RateLimit(burst: count, perSecond: 0.1)
            let server = try SignalingServer(
                configuration: configuration,
                database: StateDatabase.inMemory(schema: [SignalingDatabase.migrations]),
                logger: Self.silence,
                time: clock
            )
            tasks.append(Task { try await server.run() })
            urls.append(try #require(URL(string: "ws://127.0.0.1:\(try await server.boundPort())")))
        }
        let result: Result<Void, any Error>
        do {
            try await body(urls)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for task in tasks {
            task.cancel()
            _ = await task.result
        }
        try result.get()
    }

    private func client() -> WebSocketSignalClient { WebSocketSignalClient(identity: nil, logger: Self.silence) }

    /// A computer that shows codes at these servers, registered at all of them.
    private func host(at urls: [URL], clock: ManualClock) async throws -> PairingHost {
        let info = PairingDeviceInfo(name: "studio-pc", platform: .linux, version: "1")
        var gates: [SignalClientPairingGate] = []
        for url in urls {
            let gate = SignalClientPairingGate(client(), category: .desktop)
            try await gate.connect(to: url)
            try await gate.register(as: Self.desktopID, device: info)
            gates.append(gate)
        }
        return PairingHost(
            PairingHostDependencies(
                own: OwnDevice(identity: Identity(), deviceID: Self.desktopID, info: info),
                gates: gates,
                aliasGate: SignalClientAliasGate(addresses: { urls }, makeClient: { _ in client() }, time: clock),
                bus: PairingMessageBus(),
                phones: InMemoryPairingStore<PairedPhone>(),
                iceServers: IceServersProvider(),
                addresses: { .init(signalingURL: nil, relayURL: urls.first) },
                sendForget: { _ in },
                acceptsEverybody: true,
                logger: Self.silence
            )
        )
    }

    private func phone(at url: URL) throws -> PhonePairing {
        let address = try SignalingAddress(url.absoluteString)
        let identity = Identity()
        return PhonePairing(
            PairingDependencies(
                identity: { identity },
                deviceID: "b1d6c3a2-0000-4000-8000-00000000abcd",
                deviceInfo: PairingDeviceInfo(name: "My phone", platform: .iOS),
                gate: SignalClientPairingGate(client(), category: .mobile),
                bus: PairingMessageBus(),
                desktops: InMemoryPairingStore<PairedDesktop>(),
                addresses: { [address] },
                sendForget: { _ in },
                logger: Self.silence
            )
        )
    }

    @Test(
        "a code whose digits the only server refuses says so, with when it is tried again; then that they work, and they do"
    )
    func refusedEverywhere() async throws {
        let (serverClock, clock) = (ManualClock(), ManualClock())
        try await withServers(codes: [1], clock: serverClock) { urls in
            let url = try #require(urls.first)
            let host = try await host(at: urls, clock: clock)
            let phone = try phone(at: url)
            let tasks = [Task { await host.run() }, Task { await phone.run() }]
            defer { for task in tasks { task.cancel() } }

            try await host.makeCode()
            #expect(await host.status().typedTrouble == nil)

            var news = PairingNews(since: await host.status())
            let shown = try await host.makeCode()
            let trouble = try #require(await host.status().typedTrouble)
            #expect(trouble.reason == .limited)
            #expect(trouble.server == "127.0.0.1:\(url.port ?? 0)")
            #expect(trouble.retriesAt == clock.date.addingTimeInterval(10.001), "as the server said")
            #expect(trouble.sentence.contains("Scan the code, or wait"))
            #expect(news.items(for: await host.status()) == [.code(shown), .digitsUnreachable(shown, trouble)])
            #expect(news.items(for: await host.status()) == [])

            await clock.sleeper(for: .milliseconds(10_001))
            serverClock.advance(by: .seconds(11))
            clock.advance(by: .milliseconds(10_001))
            for await status in host.statuses() where status.typedTrouble == nil { break }
            #expect(news.items(for: await host.status()) == [.digitsReachable(shown)])
            // The phone asks from the same address, and a code that was used up leads nowhere.
            serverClock.advance(by: .seconds(11))
            let typed = try #require(shown.typed)
            #expect(try await phone.pair(typing: typed).pcPeerID == Self.desktopID)
        }
    }

    @Test("digits that one of two servers holds are no trouble, and the other one is tried again by itself")
    func refusedAtOne() async throws {
        let (serverClock, clock) = (ManualClock(), ManualClock())
        try await withServers(codes: [10, 1], clock: serverClock) { urls in
            let host = try await host(at: urls, clock: clock)
            let tasks = [Task { await host.run() }]
            defer { for task in tasks { task.cancel() } }
            try await host.makeCode()
            var news = PairingNews(since: await host.status())
            let shown = try await host.makeCode()
            #expect(await host.status().typedTrouble == nil)
            #expect(news.items(for: await host.status()) == [.code(shown)])

        }
        try await withServers(codes: [10, 1], clock: serverClock) { urls in
            let gate = SignalClientAliasGate(addresses: { urls }, makeClient: { _ in client() }, time: clock)
            let standings = LatestValue<[Int: PairingAliasStanding]>([:])
            let first = client()
            try await first.connect(to: try #require(urls.last))
            try await first.register(as: PairingCode("482914").alias, device: SignalDevice(category: .desktop))
            let holding = Task {
                try await gate.hold(
                    PairingCode("482913"),
                    reporting: { standing, gate in standings.update { $0[gate] = standing } },
                    handingOn: { _, _ in }
                )
            }
            defer { holding.cancel() }
            for await now in standings.values() where now[0] == .held && now[1] != .asking {
                guard case .failed(let trouble)? = now[1] else { Issue.record("held: \(now)"); break }
                #expect(trouble.reason == .limited)
                break
            }
            await clock.sleeper(for: .milliseconds(10_001))
            serverClock.advance(by: .seconds(11))
            clock.advance(by: .milliseconds(10_001))
            for await now in standings.values() where now == [0: .held, 1: .held] { break }
            await first.disconnect()
        }
    }

    @Test("a server that is not there is named as the reason, and digits that another device shows as another")
    func otherReasons() async throws {
        let clock = ManualClock()
        let nowhere = try #require(URL(string: "ws://127.0.0.1:1"))
        let gone = SignalClientAliasGate(addresses: { [nowhere] }, makeClient: { _ in client() }, time: clock)
        #expect(try await firstFailure(of: gone, PairingCode("482913")).reason == .unreachable)
        try await withServers(codes: [10], clock: ManualClock()) { urls in
            let code = try PairingCode("482913")
            let other = client()
            try await other.connect(to: try #require(urls.first))
            try await other.register(as: code.alias, device: SignalDevice(category: .desktop))
            let taken = SignalClientAliasGate(addresses: { urls }, makeClient: { _ in client() }, time: clock)
            #expect(try await firstFailure(of: taken, code).reason == .taken)
            await other.disconnect()
        }
    }

    /// Why the code is not held.
    private func firstFailure(of gate: SignalClientAliasGate, _ code: PairingCode) async throws -> TypedCodeTrouble {
        let standing = LatestValue(PairingAliasStanding.asking)
        let holding = Task {
            try await gate.hold(code, reporting: { now, _ in standing.set(now) }, handingOn: { _, _ in })
        }
        defer { holding.cancel() }
        for await now in standing.values() {
            if case .failed(let trouble) = now { return trouble }
        }
        throw CancellationError()
    }
}
