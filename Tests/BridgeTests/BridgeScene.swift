import Bridge
import Capabilities
import CommandServer
import Commands
import Control
import Foundation
import Kernel
import KernelTesting
import Logging
import Pairing
import Rights
import Sealing
import SignalingServer
import Storage
import Synchronization
import TandemDesktop
import Testing
import Transport

@testable import BridgeHost

extension Right {
    static let bellRead: Right = "bell.read"
    static let bellRing: Right = "bell.ring"
    static let garden: Right = "garden"
}

/// A feature with a method that tokens have from the start, one that they are given, and others that they never get.
final class BellHost: CommandFeature, ActivityKeeper {
    static let ringing = EventKind("bell.rang", needs: .bellRead)

    private let context: CommandContext
    /// Which calls of `bell.wait` may go on.
    let released = LatestValue<Set<Int64>>([])
    /// Those that began.
    let begun = LatestValue<Set<Int64>>([])
    let revoked = Mutex<[String]>([])
    let callers = Mutex<[Caller]>([])

    static let maker = CommandFeatureMaker(
        "bell",
        rights: [
            RightDeclaration(.bellRead, "see who rings", risk: .safe, weight: 1, tokens: .initial),
            RightDeclaration(.bellRing, "ring", risk: .mutating, weight: 2, tokens: .onRequest),
            RightDeclaration(.garden, "open the garden", risk: .privileged, weight: 3),
        ]
    ) { BellHost($0) }

    init(_ context: CommandContext) { self.context = context }

    var keeper: (any ActivityKeeper)? { self }

    var methods: [RemoteMethod] {
        let time = Method<JSONValue, JSONValue>(
            "bell.lastRang",
            otherNames: ["bell.list"],
            needs: Permission(.bellRead),
            risk: .safe,
            summary: ""
        )
        let wait = Method<JSONValue, JSONValue>("bell.wait", needs: Permission(.bellRead), risk: .safe, summary: "")
        let large = Method<JSONValue, JSONValue>("bell.large", needs: Permission(.bellRead), risk: .safe, summary: "")
        let ring = Method<JSONValue, JSONValue>("bell.ring", needs: Permission(.bellRing), risk: .mutating, summary: "")
        let garden = Method<JSONValue, JSONValue>(
            "garden.open",
            needs: Permission(.garden),
            risk: .privileged,
            summary: ""
        )
        let free = Method<JSONValue, JSONValue>("bell.free", needs: nil, risk: .safe, summary: "")
        return time.served { [self] params, caller in
            callers.withLock { $0.append(caller) }
            return [
                "items": [["id": "0199a213", "source": "codex", "updated_at": 1_762_261_200_000]], "asked": params,
            ]
        }
            + wait.served { [released, begun] params, _ in
                let number = params["n"]?.integerValue ?? 0
                begun.update { $0.insert(number) }
                for await released in released.values() where released.contains(number) { break }
                return ["n": .integer(number)]
            }
            + large.served { params, _ in
                ["text": .string(String(repeating: "x", count: Int(params["n"]?.integerValue ?? 0)))]
            }
            + ring.served { [context] _, caller in
                try await context.outlet.send(Self.ringing, ["by": .string(caller.id)], to: caller.id)
                return ["rang": true]
            }
            + garden.served { _, _ in ["open": true] } + free.served { _, _ in ["free": true] }
    }

    func tell(_ caller: String, _ text: String = "street") async throws {
        try await context.outlet.send(Self.ringing, ["by": .string(text)], to: caller)
    }

    func activities() -> [Activity] { [] }
    func end(_ id: Activity.ID) -> Bool { false }
    func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) {
        revoked.withLock { $0.append(device) }
    }
}

/// A computer's real composition with a bridge on a port of loopback.
struct BridgeScene: Sendable {
    let desktop: Desktop
    let bridge: BridgeFeature
    let bell: BellHost
    let port: Int
    let time: any TimeSource

    struct Plan: Sendable {
        var settings: [String: JSONValue] = [:]
        var time: any TimeSource = .system
        var limits = GateLimits()
        var notifier: (any DesktopNotifier)?
        var advertiser: (any ServiceAdvertiser)?
        var port = 0
        /// Whether the whole computer runs, which sessions of phones need.
        var runsDesktop = false
        var isOwn: @Sendable (LoopbackPeer) -> Bool = { $0.isOwn() }
    }

    static func run(_ plan: Plan = Plan(), _ body: @Sendable (BridgeScene) async throws -> Void) async throws {
        var logger = Logger(label: "bridge")
        logger.logLevel = .critical
        let makers = [
            BridgeFeature.maker(
                listening: BridgeListening(address: "127.0.0.1", port: plan.port),
                notifier: plan.notifier,
                advertiser: plan.advertiser,
                isOwn: plan.isOwn
            ), BellHost.maker,
        ]
        let state = try RoleState.inMemory(schema: .desktop(with: makers)) { DeviceID.certified(by: $0.did) }
        var server = SignalingServerConfiguration()
        (server.address, server.port) = ("127.0.0.1", 0)
        let desktop = try Desktop(
            state: state,
            configuration: DesktopConfiguration(
                device: .init(name: "studio-pc", platform: .linux, version: "1"),
                version: "1",
                server: server,
                features: makers,
                featureSettings: plan.settings,
                limits: plan.limits,
                time: plan.time
            ),
            logger: logger
        )
        let bridge = try #require(desktop.feature(BridgeFeature.self))
        let bell = try #require(desktop.feature(BellHost.self))
        let running = Task { [runsDesktop = plan.runsDesktop] in
            if runsDesktop { try await desktop.run() } else { await bridge.run() }
        }
        var port = plan.port
        for await state in try #require(bridge.server).states() {
            if case .listening(let number) = state { port = number }
            if state != .starting { break }
        }
        let result: Result<Void, any Error>
        do {
            try await body(
                BridgeScene(desktop: desktop, bridge: bridge, bell: bell, port: port, time: plan.time)
            )
            result = .success(())
        } catch {
            result = .failure(error)
        }
        running.cancel()
        _ = await running.result
        try result.get()
    }

    // MARK: The owner

    func token(_ name: String = "Ada's phone", rights: [String] = []) async throws -> (id: String, text: String) {
        let given = try await desktop.control.call(BridgeControl.newToken, NewBridgeToken(name: name, rights: rights))
        return (try #require(given.entry?.id), try #require(given.token))
    }

    func status() async throws -> BridgeStatus {
        try await desktop.control.call(BridgeControl.status, NoControlParameters())
    }

    func tokens() async throws -> [BridgeTokenEntry] {
        try await desktop.control.call(BridgeControl.tokens, NoControlParameters()).tokens
    }

    // MARK: Clients

    func open(
        secure: Bool = false,
        host: String? = nil,
        headers: [(name: String, value: String)] = [],
        largest: Int = 1024 * 1024
    ) async throws -> RawClient {
        var configuration = WebSocketConfiguration()
        configuration.maximumMessageBytes = largest
        if secure, let hash = bridge.keyHash { configuration.trust = .publicKey(sha256: hash) }
        let url = try #require(URL(string: "\(secure ? "wss" : "ws")://\(host ?? "127.0.0.1"):\(port)"))
        return RawClient(
            try await WebSocketConnection.connect(to: url, headers: headers, configuration: configuration)
        )
    }

    func proven(_ token: String) async throws -> RawClient {
        let client = try await open()
        try await client.send(#"{"type":"Hello","token":"\#(token)"}"#)
        #expect(try await client.next() == #"{"type":"HelloAck","token":"\#(token)"}"#)
        return client
    }
}

/// A client that knows nothing of the bridge: texts go out and come in.
final class RawClient {
    let connection: WebSocketConnection
    private var messages: WebSocketMessages.AsyncIterator

    init(_ connection: WebSocketConnection) {
        self.connection = connection
        messages = connection.messages.makeAsyncIterator()
    }

    func send(_ text: String) async throws { try await connection.send(text: text) }

    /// The next text; nil when the connection ended.
    func next() async throws -> String? {
        guard let message = await messages.next() else { return nil }
        guard case .text(let bytes) = message else {
            Issue.record("a binary frame came")
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func nextJSON() async throws -> JSONValue {
        let text = try #require(try await next(), "the connection ended")
        return try JSONValue(parsing: text.utf8)
    }

    /// Returns the code that the server closed with, and says that nothing came before.
    func closing(sourceLocation: SourceLocation = #_sourceLocation) async throws -> WebSocketCloseCode? {
        #expect(try await next() == nil, sourceLocation: sourceLocation)
        guard case .byPeer(let code, _)? = connection.closure else { return nil }
        return code
    }
}
