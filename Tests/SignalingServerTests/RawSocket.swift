import NIOCore
import NIOPosix
import Synchronization
import Transport

/// A TCP connection that sends what it is told, right or wrong, and keeps what comes back.
final class RawSocket: Sendable {
    private let channel: any Channel
    private let collector: Collector

    private final class Collector: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let bytes = Mutex<[UInt8]>([])
        let stream: AsyncStream<Void>
        private let arrival: AsyncStream<Void>.Continuation

        init() { (stream, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes.withLock { $0 += Array(unwrapInboundIn(data).readableBytesView) }
            arrival.yield()
        }

        func channelInactive(context: ChannelHandlerContext) { arrival.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    /// A request for a WebSocket.
    ///
    /// - Parameter fields: Further header lines, each with its end.
    static func upgrade(host: String = "127.0.0.1", _ fields: String = "") -> [UInt8] {
        Array(
            ("GET / HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\(fields)"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").utf8
        )
    }

    /// Opens a WebSocket, so that what follows is frames.
    static func webSocket(port: Int) async throws -> RawSocket {
        let socket = try await RawSocket(port: port)
        try await socket.send(upgrade())
        _ = await socket.received { String(decoding: $0, as: UTF8.self).hasSuffix("\r\n\r\n") }
        socket.collector.bytes.withLock { $0 = [] }
        return socket
    }

    init(port: Int) async throws {
        let collector = Collector()
        self.collector = collector
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(collector) }
            .connect(host: "127.0.0.1", port: port)
            .get()
    }

    func send(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(channel.allocator.buffer(bytes: bytes))
    }

    /// What came until `isEnough`, or until the end.
    @discardableResult
    func received(until isEnough: @Sendable ([UInt8]) -> Bool = { _ in false }) async -> [UInt8] {
        let now = collector.bytes.withLock { $0 }
        if isEnough(now) { return now }
        for await _ in collector.stream {
            let bytes = collector.bytes.withLock { $0 }
            if isEnough(bytes) { return bytes }
        }
        return collector.bytes.withLock { $0 }
    }

    func close() async {
        // The server may have closed it first.
        try? await channel.close()
    }

    /// One masked frame.
    static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        precondition(payload.count < 126)
        let mask: [UInt8] = [1, 2, 3, 4]
        return [first, 0x80 | UInt8(payload.count)] + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }
}
