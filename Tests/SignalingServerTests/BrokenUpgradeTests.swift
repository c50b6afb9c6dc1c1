import Foundation
import GRDB
import Kernel
import Logging
import NIOCore
import NIOEmbedded
import RouteServer
import Synchronization
import Testing

@testable import SignalingServer
@testable import Transport

@Suite("Connections that break while they are upgraded", .timeLimit(.minutes(4)))
struct BrokenUpgradeTests {
    /// A socket that was reset: what is written to it ends it at once.
    private final class ResetSocket: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.close(promise: nil)
        }
    }

    @Test("a connection that breaks at the answer to its upgrade holds no place afterwards")
    func brokenAtAnswer() throws {
        let loop = EmbeddedEventLoop()
        let relay = try relay(on: loop)
        for _ in 0..<3 {
            let channel = EmbeddedChannel(loop: loop)
            let routes = WebSocketAcceptHandler.Routes(
                upgrade: { relay.accept($0, $1) },
                http: { $0.eventLoop.makeSucceededFuture(false) }
            )
            try channel.pipeline.syncOperations.addHandlers([
                ResetSocket(), WebSocketAcceptHandler(routes: routes, timeout: .seconds(10)),
            ])
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            // It may say that the channel is closed, which is the point.
            _ = try? channel.writeInbound(ByteBuffer(bytes: RawSocket.upgrade(host: "127.0.0.1")))
            loop.run()
            #expect(!channel.isActive)
        }
        #expect(relay.counters.connectionsOpened.load(ordering: .relaxed) == 3)
        #expect(relay.counters.connectionsOpen.load(ordering: .relaxed) == 0)
        #expect(relay.loops[0].connections.isEmpty)
        #expect(relay.loops[0].unregistered.count == 0)
    }

    @Test("a connection that is gone keeps nothing of a message that had begun, also while others hold on to it")
    func unfinishedMessage() throws {
        let loop = EmbeddedEventLoop()
        let relay = try relay(on: loop)
        let channel = EmbeddedChannel(loop: loop)
        let routes = WebSocketAcceptHandler.Routes(
            upgrade: { relay.accept($0, $1) },
            http: { $0.eventLoop.makeSucceededFuture(false) }
        )
        try channel.pipeline.syncOperations.addHandler(WebSocketAcceptHandler(routes: routes, timeout: .seconds(10)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        _ = try channel.writeInbound(ByteBuffer(bytes: RawSocket.upgrade(host: "127.0.0.1")))
        loop.run()
        let connection = try #require(relay.loops[0].connections.values.first)
        // The first part of a message in parts.
        _ = try channel.writeInbound(ByteBuffer(bytes: RawSocket.frame(0x01, Array("half".utf8))))
        #expect(connection.reader.unfinishedBytes > 0)
        channel.close(promise: nil)
        loop.run()
        #expect(relay.loops[0].connections.isEmpty)
        #expect(connection.reader.unfinishedBytes == 0)
    }

    private func relay(on loop: EmbeddedEventLoop) throws -> Relay {
        let configuration = SignalingServerConfiguration()
        let database = try signalingDatabase()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let counters = RelayCounters()
        let store = StoreQueue(
            mailbox: SQLiteMailbox(database),
            directory: SQLiteDirectory(database),
            limits: configuration.limits,
            counters: counters,
            time: .system,
            logger: logger
        )
        return Relay(
            configuration: configuration,
            store: store,
            counters: counters,
            eventLoops: [loop],
            requestGuard: .signaling(
                ServerNames(configured: ["127.0.0.1"], machine: "test", certificateNames: { [] }),
                allowedOrigins: []
            ),
            time: .system,
            logger: logger
        )
    }
}
