import Foundation
import Testing
import Transport

@Suite("A client's WebSocket over a real socket", .timeLimit(.minutes(5)))
struct WebSocketConnectionTests {
    private func connect(
        _ server: EchoServer,
        path: String = "/",
        _ change: (inout WebSocketConfiguration) -> Void = { _ in }
    )
        async throws -> WebSocketConnection
    {
        var configuration = WebSocketConfiguration()
        change(&configuration)
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)\(path)"))
        return try await .connect(to: url, headers: [("X-Extra", "carried")], configuration: configuration)
    }

    @Test(
        "text and binary messages of every length class come back whole",
        arguments: [0, 1, 125, 126, 8192, 8193, 65535, 65536, 1_000_000]
    )
    func echo(size: Int) async throws {
        let server = try await EchoServer()
        let connection = try await connect(server)
        var messages = connection.messages.makeAsyncIterator()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let text = (0..<size).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        try await connection.send(binary: bytes)
        #expect(await messages.next() == .binary(bytes))
        try await connection.send(text: text)
        #expect(await messages.next() == .text(text))
        await connection.close()
        #expect(connection.closure == .byUs)
        #expect(await messages.next() == nil)
        try await server.close()
    }

    @Test("extra headers reach the server, and the host is the authority of the URL")
    func headers() async throws {
        let server = try await EchoServer()
        let connection = try await connect(server)
        var messages = connection.messages.makeAsyncIterator()
        try await connection.send(text: "!extra")
        #expect(await messages.next() == .text(Array("carried".utf8)))
        #expect(connection.host == "127.0.0.1:\(server.port)")
        await connection.close()
        try await server.close()
    }

    @Test("a send that waits for a peer that reads nothing ends when it is cancelled")
    func cancelledSend() async throws {
        let server = try await EchoServer()
        let connection = try await connect(server)
        try await connection.send(text: "!deaf")
        let sending = Task {
            let megabyte = [UInt8](repeating: 0, count: 1 << 20)
            while true { try await connection.send(binary: megabyte) }
        }
        sending.cancel()
        await #expect(throws: CancellationError.self) { try await sending.value }
        connection.abort()
        try await server.close()
    }

    @Test("a ping is answered, and the peer's ping gets its payload back")
    func pings() async throws {
        let server = try await EchoServer()
        let connection = try await connect(server)
        var messages = connection.messages.makeAsyncIterator()
        try await connection.ping()
        try await connection.send(text: "!ping")
        #expect(await messages.next() == .text(Array("pong [1, 2, 3]".utf8)))
        await connection.close()
        await #expect(throws: WebSocketError.closed) { try await connection.ping() }
        await #expect(throws: WebSocketError.closed) { try await connection.send(text: "late") }
        try await server.close()
    }

    @Test("the peer's close code and reason are kept")
    func closedByPeer() async throws {
        let server = try await EchoServer()
        let connection = try await connect(server)
        var messages = connection.messages.makeAsyncIterator()
        try await connection.send(text: "!close")
        #expect(await messages.next() == nil)
        #expect(connection.closure == .byPeer(.replaced, reason: "replaced"))
        try await server.close()
    }

    @Test("a dropped connection ends the messages as lost, a broken frame as violated")
    func lostAndViolated() async throws {
        let server = try await EchoServer()
        let dropped = try await connect(server)
        try await dropped.send(text: "!drop")
        for await _ in dropped.messages {}
        #expect(dropped.closure == .lost)
        let broken = try await connect(server)
        try await broken.send(text: "!bad")
        for await _ in broken.messages {}
        #expect(broken.closure == .violated(.protocolError, reason: "A reserved bit is set"))
        try await server.close()
    }

    @Test("a reader that is behind gets everything, in order, from a small buffer")
    func backpressure() async throws {
        let server = try await EchoServer()
        let connection = try await connect(server) { $0.bufferedMessages = 4 }
        try await connection.send(text: "!flood")
        var received: [String] = []
        for await message in connection.messages {
            guard case .text(let bytes) = message else { continue }
            received.append(String(decoding: bytes, as: UTF8.self))
            if received.count == 2000 { break }
        }
        #expect(received == (0..<2000).map(String.init))
        await connection.close()
        try await server.close()
    }

    @Test("a message over the limit is refused before it is sent, and ends the connection when it is received")
    func limits() async throws {
        let server = try await EchoServer()
        let connection = try await connect(server) { $0.maximumMessageBytes = 100 }
        await #expect(throws: WebSocketError.messageTooBig(limit: 100)) {
            try await connection.send(binary: Array(repeating: 0, count: 101))
        }
        await connection.close()
        try await server.close()
    }

    @Test("a refused handshake, a closed port and a wrong URL each say what happened")
    func failures() async throws {
        let server = try await EchoServer()
        await #expect(throws: WebSocketError.refused(status: 403)) { try await connect(server, path: "/refused") }
        let port = server.port
        try await server.close()
        await #expect(throws: WebSocketError.unreachable(host: "127.0.0.1:\(port)", reason: "connection refused")) {
            try await connect(server)
        }
        for text in ["http://host", "ws://", "ws://user:secret@host", "ws://host:0", "file:///etc/passwd"] {
            let url = try #require(URL(string: text))
            await #expect(throws: WebSocketError.invalidURL(url.absoluteString)) {
                try await WebSocketConnection.connect(to: url)
            }
        }
    }
}
