import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Sealing
import ServiceLifecycle
import SignalingServer
import Storage
import Testing
import Transport

/// The server's tables in memory.
func signalingDatabase() throws -> DatabaseQueue {
    try StateDatabase.inMemory(schema: [SignalingDatabase.migrations])
}

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
    configuration.limits.registrationTimeout = .seconds(120)
    if clock == nil { configuration.limits.pingInterval = .seconds(600) }
    change(&configuration)
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = try SignalingServer(
        configuration: configuration,
        database: database,
        logger: logger,
        time: clock ?? .system,
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
    try await withServer(change, database: try signalingDatabase(), clock: clock, body)
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

    /// The status of the answer to raw bytes; nil when the connection ended without one.
    func status(of request: [UInt8]) async throws -> Int? {
        let socket = try await RawSocket(port: port)
        try await socket.send(request)
        let answer = await socket.received { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
        await socket.close()
        let parts = String(decoding: answer, as: UTF8.self).split(separator: " ")
        return parts.count > 1 ? Int(parts[1]) : nil
    }

    /// Connected, and registered with a proof.
    func proven(_ id: String, _ identity: Identity = Identity()) async throws -> TestPeer {
        let peer = try await connect()
        try await peer.register(id, proving: identity, host: peer.connection.host)
        try await peer.expectType("registered")
        return peer
    }

    /// Connected and registered, without a proof.
    func peer(_ id: String) async throws -> TestPeer {
        let peer = try await connect()
        try await peer.send(["type": "register", "peerId": .string(id)])
        try await peer.expectType("registered")
        return peer
    }
}
