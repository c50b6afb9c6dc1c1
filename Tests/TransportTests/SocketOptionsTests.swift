import Foundation
import NIOCore
import Testing

@testable import Transport

@Suite("The socket below a WebSocket", .timeLimit(.minutes(4)))
struct SocketOptionsTests {
    @Test("small messages leave at once, in both directions, and nothing is set that root alone may set")
    func noDelay() async throws {
        let server = try await EchoServer()
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/"))
        let connection = try await WebSocketConnection.connect(to: url)
        var messages = connection.messages.makeAsyncIterator()
        try await connection.send(text: "!options")
        #expect(await messages.next() == .text(Array("no delay 1, debug 0".utf8)))
        #expect(try await connection.channel.getOption(.tcpOption(.tcp_nodelay)).get() == 1)
        #expect(try await connection.channel.getOption(.socketOption(.init(rawValue: SO_DEBUG))).get() == 0)
        await connection.close()
        try await server.close()
    }
}
