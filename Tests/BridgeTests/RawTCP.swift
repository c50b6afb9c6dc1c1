import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A socket on loopback that writes any bytes, also such as no WebSocket library would.
final class RawTCP: Sendable {
    private let channel: any Channel
    private let received: AsyncStream<[UInt8]>
    private let buffer = Mutex<[UInt8]>([])

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let bytes: AsyncStream<[UInt8]>.Continuation
        init(_ bytes: AsyncStream<[UInt8]>.Continuation) { self.bytes = bytes }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes.yield(Array(unwrapInboundIn(data).readableBytesView))
        }
        func channelInactive(context: ChannelHandlerContext) { bytes.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    init(port: Int) async throws {
        let (stream, bytes) = AsyncStream.makeStream(of: [UInt8].self)
        received = stream
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(bytes))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    deinit { channel.close(promise: nil) }

    /// A socket whose handshake is over.
    ///
    /// - Parameter headers: Of its request; without a host among them it is this port's.
    static func upgraded(port: Int, headers: [(String, String)] = []) async throws -> RawTCP {
        let socket = try await RawTCP(port: port)
        let host = headers.contains { $0.0 == "Host" } ? [] : [("Host", "127.0.0.1:\(port)")]
        let fields = (host + headers).map { "\($0.0): \($0.1)\r\n" }.joined()
        let request = """
            GET / HTTP/1.1\r\n\(fields)Upgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
            """
        try await socket.send(Array(request.utf8))
        let head = try await socket.head()
        #expect(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
        return socket
    }

    func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

    /// What the other end sends from now on stays in the system's buffers.
    func stopReading() async throws { try await channel.setOption(.autoRead, value: false).get() }

    /// A text frame, masked with zeros.
    func sendText(_ text: String) async throws {
        let bytes = Array(text.utf8)
        precondition(bytes.count < 126)
        try await send([0x81, 0x80 | UInt8(bytes.count), 0, 0, 0, 0] + bytes)
    }

    private func fill(_ count: Int) async -> Bool {
        while buffer.withLock({ $0.count }) < count {
            guard let more = await received.first(where: { _ in true }) else { return false }
            buffer.withLock { $0 += more }
        }
        return true
    }

    private func take(_ count: Int) async -> [UInt8]? {
        guard await fill(count) else { return nil }
        return buffer.withLock { buffer in
            defer { buffer.removeFirst(count) }
            return Array(buffer.prefix(count))
        }
    }

    /// Up to and with the empty line; everything when the connection ends first.
    func head() async throws -> String {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]), let byte = await take(1) { head += byte }
        return String(decoding: head, as: UTF8.self)
    }

    /// The next frame; nil at the end.
    func frame() async throws -> (opcode: UInt8, payload: [UInt8])? {
        guard let start = await take(2) else { return nil }
        var count = Int(start[1] & 0x7F)
        if count == 126 { count = (await take(2) ?? []).reduce(0) { $0 << 8 | Int($1) } }
        if count == 127 { count = (await take(8) ?? []).reduce(0) { $0 << 8 | Int($1) } }
        return (start[0] & 0x0F, await take(count) ?? [])
    }

    func text() async throws -> String? {
        try await frame().map { String(decoding: $0.payload, as: UTF8.self) }
    }

    /// Of the next close frame, passing over others.
    func closeCode() async throws -> Int? {
        while let frame = try await frame() {
            if frame.opcode == 8 { return frame.payload.prefix(2).reduce(0) { $0 << 8 | Int($1) } }
        }
        return nil
    }

    func opcodesUntilEnd() async throws -> [UInt8] {
        var opcodes: [UInt8] = []
        while let frame = try await frame() { opcodes.append(frame.opcode) }
        return opcodes
    }

    /// Returns once the other end has closed.
    func ended() async { try? await channel.closeFuture.get() }
}
