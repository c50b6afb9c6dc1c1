import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import ServiceLifecycle
import SignalingServer
import Testing
import Transport

/// A real server on a free loopback port, for the length of `body`.
func withServer<Value: Sendable>(
    _ change: (inout SignalingServerConfiguration) -> Void = { _ in },
    database: any DatabaseWriter,
    clock: ManualClock? = nil,
    metrics: PrometheusMetrics? = nil,
    _ body: @escaping @Sendable (TestServer) async throws -> Value
) async throws -> Value {
    var configuration = SignalingServerConfiguration()
    configuration.address = "127.0.0.1"
    configuration.port = 0
    configuration.limits.closeTimeout = .seconds(1)
    // On a machine that is busy with something else a test may stand still for a while; tests of these set their own.
    configuration.limits.handshakeTimeout = .seconds(120)
    if clock == nil { configuration.limits.pingInterval = .seconds(600) }
    change(&configuration)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = try SignalingServer(
        configuration: configuration,
        database: database,
        logger: logger,
        clock: clock.map { $0 as any Clock<Duration> } ?? ContinuousClock(),
        now: { clock?.date ?? Date() },
        ticks: { clock.map { UInt64($0.date.timeIntervalSince1970 * 1e9) } ?? SignalingServer.systemTicks() },
        metrics: metrics
    )
    let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let result: Result<Value, any Error>
        do {
            let port = try await server.boundPort()
            result = .success(
                try await body(TestServer(port: port, server: server, group: group, configuration: configuration))
            )
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return try result.get()
    }
}

func withServer<Value: Sendable>(
    _ change: (inout SignalingServerConfiguration) -> Void = { _ in },
    clock: ManualClock? = nil,
    _ body: @escaping @Sendable (TestServer) async throws -> Value
) async throws -> Value {
    try await withServer(change, database: try DatabaseQueue(), clock: clock, body)
}

struct TestServer: Sendable {
    let port: Int
    let server: SignalingServer
    let group: ServiceGroup
    let configuration: SignalingServerConfiguration

    func connect(maximumMessageBytes: Int = 16 * 1024 * 1024) async throws -> TestPeer {
        var configuration = WebSocketConfiguration()
        configuration.maximumMessageBytes = maximumMessageBytes
        configuration.bufferedMessages = 4096
        guard let url = URL(string: "ws://127.0.0.1:\(port)/") else { throw WebSocketError.invalidURL("") }
        return TestPeer(try await .connect(to: url, configuration: configuration))
    }

    /// Connected and registered, without a proof.
    func peer(_ id: String) async throws -> TestPeer {
        let peer = try await connect()
        try await peer.send(["type": "register", "peerId": .string(id)])
        try await peer.expectType("registered")
        return peer
    }
}
