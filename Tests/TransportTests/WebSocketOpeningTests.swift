import Foundation
import NIOCore
import NIOPosix
import Testing
import Transport

@Suite("A WebSocket whose opening comes to nothing", .timeLimit(.minutes(5)))
struct WebSocketOpeningTests {
    /// Writes what it is told once the request comes, and ends the connection.
    private final class EndingHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let answer: String

        init(_ answer: String) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            context.close(promise: nil)
        }
    }

    private func failure(after answer: String) async throws -> WebSocketError? {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EndingHandler(answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let url = try #require(URL(string: "ws://127.0.0.1:\(port)"))
        let error = await #expect(throws: WebSocketError.self) { try await WebSocketConnection.connect(to: url) }
        try await server.close()
        return error
    }

    @Test(
        "a connection that ends before its opening is answered whole says so, and accuses no server",
        arguments: ["", "HTTP", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: web"]
    )
    func ended(answer: String) async throws {
        #expect(try await failure(after: answer) == .endedWhileOpening)
    }

    @Test(
        "an answer in another protocol, and one that accepts nothing, are of no server of WebSockets",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "220 mail.example.org ESMTP\r\n", "\u{15}\u{3}",
            "HTTP/1.1 101 Switching Protocols\r\n\r\n", "SIP/2.0 200 OK\r\n\r\n",
        ]
    )
    func other(answer: String) async throws {
        #expect(try await failure(after: answer) == .notAWebSocketServer)
    }
}
