import Foundation
import NIOCore
import NIOPosix
import Transport

/// A WebSocket server on port 0 that sends every message back, and does as it is told by a few.
final class EchoServer: Sendable {
    private let channel: any Channel
    let listener: WebSocketListener

    let port: Int

    convenience init(tls: TLSFiles? = nil) async throws {
        try await self.init(listener: WebSocketListener(tls: tls))
    }

    init(listener: WebSocketListener) async throws {
        self.listener = listener
        channel = try await listener.bind(
            host: "127.0.0.1",
            port: 0,
            group: MultiThreadedEventLoopGroup.singleton,
            admit: { _ in true },
            routes: WebSocketAcceptHandler.Routes(
                upgrade: { request, _ in
                    request.path == "/refused"
                        ? .refuse(response: WebSocketHandshake.response(403, "Forbidden"))
                        : .accept(EchoHandler(extra: request.head["x-extra"] ?? ""))
                },
                http: { $0.eventLoop.makeSucceededFuture(false) }
            )
        )
        port = channel.localAddress?.port ?? 0
    }

    func close() async throws { try await channel.close() }
}

/// Touched on its channel's event loop only, where the pipeline calls it.
final class EchoHandler: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var reader = WebSocketFrameReader(role: .server, limit: 8 * 1024 * 1024)
    private let scratch = WebSocketScratch()
    private let extra: String

    init(extra: String) { self.extra = extra }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        var output = context.channel.allocator.buffer(capacity: 256)
        do {
            while let event = try reader.next(&input, scratch: scratch) {
                switch event {
                case .small(let kind, let count, _):
                    let bytes = Array(scratch.bytes(count))
                    switch String(decoding: bytes, as: UTF8.self) {
                    case "!extra": write(.text, Array(extra.utf8), to: &output)
                    case "!close":
                        write(.close, WebSocketFrameWriter.closePayload(.replaced, reason: "replaced"), to: &output)
                    case "!deaf": _ = context.channel.setOption(.autoRead, value: false)
                    case "!drop": return context.close(promise: nil)
                    case "!bad": output.writeBytes([0xFF, 0x00])
                    case "!options":
                        let options = context.channel.syncOptions
                        let noDelay = try options?.getOption(.tcpOption(.tcp_nodelay)) ?? -1
                        let debug = try options?.getOption(.socketOption(.init(rawValue: SO_DEBUG))) ?? -1
                        write(.text, Array("no delay \(noDelay), debug \(debug)".utf8), to: &output)
                    case "!ping": write(.ping, [1, 2, 3], to: &output)
                    case "!flood": for number in 0..<2000 { write(.text, Array("\(number)".utf8), to: &output) }
                    default: write(kind == .text ? .text : .binary, bytes, to: &output)
                    }
                case .large(let kind, _):
                    write(kind == .text ? .text : .binary, Array(reader.takeMessage().readableBytesView), to: &output)
                case .ping(let payload): write(.pong, payload, to: &output)
                case .pong(let payload): write(.text, Array("pong \(payload)".utf8), to: &output)
                case .close(let code, _):
                    write(.close, WebSocketFrameWriter.closePayload(code, reason: ""), to: &output)
                    context.writeAndFlush(wrapOutboundOut(output), promise: nil)
                    return context.close(promise: nil)
                }
            }
        } catch {
            return context.close(promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    }

    private func write(_ opcode: WebSocketOpcode, _ payload: [UInt8], to output: inout ByteBuffer) {
        payload.withUnsafeBytes { WebSocketFrameWriter.append(opcode, $0, to: &output) }
    }
}
