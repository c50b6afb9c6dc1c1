import Foundation
import GRDB
import Kernel
import Logging
import ServiceLifecycle
import SignalingServer
import Synchronization
import Testing
import Transport

@Suite("Routes of features beside the relay", .timeLimit(.minutes(5)))
struct RouteTests {
    /// What handlers saw, for the test to wait for.
    private final class Seen<Value: Sendable>: Sendable {
        private let stream: AsyncStream<Value>
        private let values: AsyncStream<Value>.Continuation

        init() { (stream, values) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64)) }

        func add(_ value: Value) { values.yield(value) }
        func next() async -> Value? { await stream.first { _ in true } }
    }

    private final class Counter: Sendable {
        private let atomic = Atomic(0)

        var value: Int { atomic.load(ordering: .relaxed) }
        func increment() -> Int { atomic.add(1, ordering: .relaxed).newValue }
    }

    private static let echo: WebSocketRoute.Handler = { peer, _ in
        for await message in peer.messages {
            switch message {
            case .text(let bytes): try await peer.send(text: bytes)
            case .binary(let bytes): try await peer.send(binary: bytes)
            }
        }
    }

    private func connect(
        _ port: Int,
        _ path: String,
        _ change: (inout WebSocketConfiguration) -> Void = { _ in }
    ) async throws -> WebSocketConnection {
        var configuration = WebSocketConfiguration()
        change(&configuration)
        let url = try #require(URL(string: "ws://127.0.0.1:\(port)\(path)"))
        return try await .connect(to: url, configuration: configuration)
    }

    private func request(_ server: TestServer, _ text: String) async throws -> String {
        let socket = try await RawSocket(port: server.port)
        try await socket.send(Array(text.utf8))
        let answer = await socket.received { _ in false }
        await socket.close()
        return String(decoding: answer, as: UTF8.self)
    }

    @Test("a feature's WebSocket at a path echoes, and the relay is on every other path")
    func besideTheRelay() async throws {
        let requests = Seen<RouteRequest>()
        let route = try WebSocketRoute("/threads/{thread}/live") { peer, request in
            requests.add(request)
            try await Self.echo(peer, request)
        }
        try await withServer {
            $0.webSocketRoutes = [route]
        } _: { server in
            let peer = try await connect(server.port, "/threads/a%20b/live?from=7&x=%C3%BC")
            var messages = peer.messages.makeAsyncIterator()
            let large = [UInt8](repeating: 7, count: 300_000)
            try await peer.send(text: "hello")
            try await peer.send(binary: large)
            #expect(await messages.next() == .text(Array("hello".utf8)))
            #expect(await messages.next() == .binary(large))
            try await peer.ping()
            let request = try #require(await requests.next())
            #expect(request.parameters == ["thread": "a b"])
            #expect(request.query("from") == "7")
            #expect(request.query("x") == "ü")
            #expect(request.query("none") == nil)
            #expect(request.host == "127.0.0.1:\(server.port)")
            #expect(request.header("UPGRADE") == "websocket")
            #expect(request.clientAddress == "127.0.0.1")
            for path in ["/", "/signal", "/threads/a/b/live", "/threads//live", "/threads/%2e%2e/live", "/threads/a"] {
                let relay = TestPeer(try await connect(server.port, path))
                try await relay.send(["type": "ping"])
                try await relay.expectType("pong")
            }
            await peer.close(.normal, reason: "done")
            #expect(peer.closure == .byUs)
        }
    }

    @Test("a port of its own has the feature's paths only")
    func ownPort() async throws {
        let place = RoutePort.own(name: "live", number: 0)
        let socket = try WebSocketRoute("/", on: place, handler: Self.echo)
        let page = try HTTPRoute(.get, "/page", on: place) { _, _ in .text("a page") }
        try await withServer {
            $0.webSocketRoutes = [socket]
            $0.httpRoutes = [page]
        } _: { server in
            let port = try #require(try await server.server.boundPort(named: "live"))
            #expect(port != server.port)
            #expect(try await server.server.boundPort(named: "other") == nil)
            let peer = try await connect(port, "/")
            var messages = peer.messages.makeAsyncIterator()
            try await peer.send(text: #"{"type":"ping"}"#)
            #expect(await messages.next() == .text(Array(#"{"type":"ping"}"#.utf8)))
            await peer.close(.normal, reason: "")
            await #expect(throws: WebSocketError.refused(status: 404)) { try await connect(port, "/relay") }
            let relay = TestPeer(try await connect(server.port, "/"))
            try await relay.expectNothing()
            let other = TestServer(
                port: port,
                server: server.server,
                group: server.group,
                configuration: server.configuration
            )
            #expect(try await HTTPTests.get("/page", other).text == "a page")
            #expect(try await HTTPTests.get("/health", other).status == 404)
            #expect(try await HTTPTests.get("/page", server).status == 404)
        }
    }

    @Test("HEAD, 204 and 304 are answered by their heads alone, and the connection serves on")
    func headsAlone() async throws {
        let file = try HTTPRoute(.head, "/file") { _, _ in HTTPRouteResponse(body: .pieces(length: 400) { nil }) }
        let none = try HTTPRoute(.get, "/none/{status}") { request, _ in
            HTTPRouteResponse(status: request.parameters["status"].flatMap { Int($0) } ?? 500)
        }
        try await withServer {
            $0.httpRoutes = [file, none]
        } _: { server in
            let host = "Host: 127.0.0.1:\(server.port)\r\n"
            let answer = try await request(
                server,
                "HEAD /file HTTP/1.1\r\n\(host)\r\nGET /none/204 HTTP/1.1\r\n\(host)\r\n"
                    + "GET /none/304 HTTP/1.1\r\n\(host)Connection: close\r\n\r\n"
            )
            let heads = answer.components(separatedBy: "\r\n\r\n")
            try #require(heads.count == 4)
            #expect(heads[0].hasPrefix("HTTP/1.1 200") && heads[0].lowercased().contains("content-length: 400"))
            #expect(heads[1].hasPrefix("HTTP/1.1 204") && heads[2].hasPrefix("HTTP/1.1 304") && heads[3].isEmpty)
        }
    }

    @Test("a message over the route's bound closes its socket with 1009, and the handler learns why")
    func oversize() async throws {
        let endings = Seen<WebSocketClosure?>()
        let route = try WebSocketRoute("/small", maximumMessageBytes: 1000) { peer, request in
            try await Self.echo(peer, request)
            endings.add(peer.closure)
        }
        try await withServer {
            $0.webSocketRoutes = [route]
        } _: { server in
            let peer = try await connect(server.port, "/small")
            var messages = peer.messages.makeAsyncIterator()
            let fits = [UInt8](repeating: 1, count: 1000)
            try await peer.send(binary: fits)
            #expect(await messages.next() == .binary(fits))
            try await peer.send(binary: [UInt8](repeating: 1, count: 1_000_000))
            #expect(await messages.next() == nil)
            let reason = "A message is at most 1000 bytes"
            #expect(peer.closure == .byPeer(.tooBig, reason: reason))
            #expect(await endings.next() == .violated(.tooBig, reason: reason))
        }
    }

    @Test("a handler waits for a client that does not read, and a client that takes nothing is given up")
    func slowReader() async throws {
        let sent = Seen<Int>()
        let route = try WebSocketRoute("/flood", keepAlive: .milliseconds(200)) { peer, _ in
            var count = 0
            let piece = [UInt8](repeating: 3, count: 256 * 1024)
            do {
                while true {
                    try await peer.send(binary: piece)
                    count += 1
                }
            } catch {
                #expect(error as? WebSocketError == .closed)
                sent.add(count)
            }
        }
        try await withServer {
            $0.webSocketRoutes = [route]
        } _: { server in
            let peer = try await connect(server.port, "/flood") { $0.bufferedBytes = 1 }
            let count = try #require(await sent.next())
            // What the systems at both ends keep, and no more: a writer that did not wait would fill the memory.
            #expect((1..<128).contains(count))
            peer.abort()
        }
    }

    @Test("a handler that does not read stops the socket, so that its client waits")
    func slowHandler() async throws {
        let gate = Seen<Void>()
        let route = try WebSocketRoute("/deaf", readAheadBytes: 1024) { _, _ in _ = await gate.next() }
        try await withServer {
            $0.webSocketRoutes = [route]
        } _: { server in
            let peer = try await connect(server.port, "/deaf") { $0.keepAliveInterval = .milliseconds(200) }
            var count = 0
            let piece = [UInt8](repeating: 3, count: 256 * 1024)
            await #expect(throws: WebSocketError.closed) {
                while count < 1024 {
                    try await peer.send(binary: piece)
                    count += 1
                }
            }
            #expect((1..<128).contains(count))
            #expect(peer.closure == .lost)
            gate.add(())
        }
    }

    @Test("foreign pages and hosts get nowhere near a feature")
    func guarded() async throws {
        let calls = Counter()
        let socket = try WebSocketRoute("/echo") { _, _ in _ = calls.increment() }
        let page = try HTTPRoute(.get, "/page") { _, _ in
            _ = calls.increment()
            return .text("never")
        }
        try await withServer {
            $0.webSocketRoutes = [socket]
            $0.httpRoutes = [page]
            $0.allowedOrigins = ["https://app.example.org"]
        } _: { (server: TestServer) async throws -> Void in
            let upgrade =
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
            for (path, extra) in [("/echo", upgrade), ("/page", "")] {
                let own = "Host: 127.0.0.1:\(server.port)\r\n"
                func status(_ fields: String) async throws -> Int? {
                    try await server.status(of: Array("GET \(path) HTTP/1.1\r\n\(fields)\(extra)\r\n".utf8))
                }
                #expect(try await status(own + "Origin: https://evil.example\r\n") == 403)
                #expect(try await status("Host: evil.example\r\n") == 421)
                #expect(calls.value == 0)
            }
            let allowed = "Host: 127.0.0.1\r\nOrigin: https://app.example.org\r\n\r\n"
            #expect(try await server.status(of: Array("GET /page HTTP/1.1\r\n\(allowed)".utf8)) == 200)
            #expect(calls.value == 1)
        }
    }

    @Test("a route answers in pieces, takes a body within its bound, and leaves other paths as they were")
    func http() async throws {
        let pieces = try HTTPRoute(.get, "/files/{file...}") { request, _ in
            let pieces = Counter()
            let name = request.parameters["file"] ?? ""
            return HTTPRouteResponse(
                fields: [("Content-Type", "text/plain"), ("X-Name", name)],
                body: .pieces(length: nil) {
                    pieces.increment() > 200 ? nil : [UInt8](repeating: UInt8(ascii: "a"), count: 10_000)
                }
            )
        }
        let upload = try HTTPRoute(.post, "/notes", maximumBodyBytes: 100_000) { _, body in
            HTTPRouteResponse(status: 201, body: .bytes(Array("\(try await body.collect().count)".utf8)))
        }
        let broken = try HTTPRoute(.get, "/broken") { _, _ in throw RouteError.unclearPort(name: "x") }
        try await withServer {
            $0.httpRoutes = [pieces, upload, broken]
        } _: { server in
            let answer = try await HTTPTests.get("/files/a/b%20c", server)
            #expect(answer.status == 200)
            #expect(answer.text == String(repeating: "a", count: 2_000_000))
            func post(_ count: Int, chunked: Bool = false) async throws -> String {
                let body = String(repeating: "b", count: count)
                let head = "POST /notes HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                return chunked
                    ? try await request(
                        server,
                        "\(head)Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
                    )
                    : try await request(server, "\(head)Content-Length: \(count)\r\n\r\n\(body)")
            }
            #expect(try await post(100_000).hasPrefix("HTTP/1.1 201 "))
            #expect(try await post(100_000).hasSuffix("100000"))
            #expect(try await post(5, chunked: true).hasSuffix("5"))
            #expect(try await post(100_001).hasPrefix("HTTP/1.1 413 "))
            #expect(try await post(100_001, chunked: true).hasPrefix("HTTP/1.1 413 "))
            #expect(try await HTTPTests.get("/notes", server).status == 405)
            #expect(try await HTTPTests.get("/broken", server).status == 500)
            #expect(try await HTTPTests.get("/files", server).text == "Not Found")
            #expect(try await HTTPTests.get("/health", server).json["status"] == "healthy")
        }
    }

    @Test("an address has as many sockets and requests of features as of the relay")
    func limits() async throws {
        let socket = try WebSocketRoute("/echo", handler: Self.echo)
        let page = try HTTPRoute(.get, "/page") { request, _ in .text(request.clientAddress ?? "") }
        try await withServer {
            $0.webSocketRoutes = [socket]
            $0.httpRoutes = [page]
            $0.trustedProxies = ["127.0.0.1"].compactMap { AddressRange($0) }
            $0.limits.connectionsPerAddress = 1
            $0.limits.addressMessages = RateLimit(burst: 1, perSecond: 0.001)
        } _: { server in
            let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/echo"))
            func open(_ address: String) async throws -> WebSocketConnection {
                try await .connect(to: url, headers: [("X-Forwarded-For", address)])
            }
            let first = try await open("192.0.2.7")
            #expect(first.remoteAddress == "127.0.0.1")
            await #expect(throws: WebSocketError.refused(status: 429)) { try await open("192.0.2.7") }
            _ = try await open("192.0.2.8")
            func get(_ address: String) async throws -> String {
                try await request(
                    server,
                    "GET /page HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: \(address)\r\nConnection: close\r\n\r\n"
                )
            }
            let answer = try await get("192.0.2.9")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.hasSuffix("192.0.2.9"))
            #expect(try await get("192.0.2.9").hasPrefix("HTTP/1.1 429 "))
            #expect(try await get("192.0.2.10").hasPrefix("HTTP/1.1 200 "))
            await first.close(.normal, reason: "")
            // Its place is free once the server has seen that it is gone, which may be a moment after the client has.
            var again: WebSocketConnection?
            for _ in 0..<2000 where again == nil {
                do { again = try await open("192.0.2.7") } catch WebSocketError.refused(status: 429) {}
            }
            #expect(again != nil)
        }
    }

    @Test("features have the places that the relay leaves, and none of those kept free")
    func places() async throws {
        let route = try WebSocketRoute("/echo", handler: Self.echo)
        try await withServer {
            $0.webSocketRoutes = [route]
            $0.limits.connections = 4
            $0.limits.reservedConnections = 1
        } _: { server in
            let relayed = try await server.peer("phone")
            let sockets = [try await connect(server.port, "/echo"), try await connect(server.port, "/echo")]
            await #expect(throws: WebSocketError.refused(status: 503)) { try await connect(server.port, "/echo") }
            try await relayed.expectNothing()
            for socket in sockets { await socket.close(.normal, reason: "") }
        }
    }

    @Test("an answer that takes long outlives other connections where its route says so, and no other does")
    func duration() async throws {
        let gate = Seen<Void>()
        let long = try HTTPRoute(.get, "/long", duration: .seconds(120)) { _, _ in
            _ = await gate.next()
            return .text("at last")
        }
        let never = try HTTPRoute(.get, "/never") { _, _ in
            try await Task.sleep(for: .seconds(3600))
            return .text("never")
        }
        try await withServer {
            $0.httpRoutes = [long, never]
            $0.limits.httpLifetime = .milliseconds(300)
        } _: { server in
            async let answer = HTTPTests.get("/long", server)
            let unanswered = try await request(server, "GET /never HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(unanswered == "")
            let again = try await request(server, "GET /never HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(again == "")
            gate.add(())
            #expect(try await answer.text == "at last")
        }
    }

    @Test("both ends agree on a subprotocol, and a client that offers none of the route's is refused")
    func subprotocols() async throws {
        let route = try WebSocketRoute("/chat", subprotocols: ["chat.v2", "chat.v1"]) { peer, _ in
            try await peer.send(text: peer.subprotocol ?? "none")
        }
        try await withServer {
            $0.webSocketRoutes = [route]
        } _: { server in
            let peer = try await connect(server.port, "/chat") { $0.subprotocols = ["chat.v1", "other", "chat.v2"] }
            var messages = peer.messages.makeAsyncIterator()
            #expect(peer.subprotocol == "chat.v2")
            #expect(await messages.next() == .text(Array("chat.v2".utf8)))
            // The handler has returned.
            #expect(await messages.next() == nil)
            #expect(peer.closure == .byPeer(.normal, reason: ""))
            await #expect(throws: WebSocketError.refused(status: 400)) {
                try await connect(server.port, "/chat") { $0.subprotocols = ["other"] }
            }
            await #expect(throws: WebSocketError.invalidSubprotocol("a b")) {
                try await connect(server.port, "/chat") { $0.subprotocols = ["a b"] }
            }
        }
    }

    @Test("a route in two steps serves whom the first lets in, and closes the others and those of whom a step throws")
    func twoSteps() async throws {
        struct Failure: Error {}
        let entering: @Sendable (any WebSocketPeer, RouteRequest) async throws -> String? = { _, request in
            if request.query("name") == "nobody" { throw Failure() }
            return request.query("name")
        }
        let route = try WebSocketRoute("/steps", entering: entering) { peer, name in
            try await peer.send(text: "hello \(name)")
            for await _ in peer.messages { throw Failure() }
        }
        try await withServer {
            $0.webSocketRoutes = [route]
        } _: { server in
            let ada = try await connect(server.port, "/steps?name=ada")
            var messages = ada.messages.makeAsyncIterator()
            #expect(await messages.next() == .text(Array("hello ada".utf8)))
            try await ada.send(text: "anything")
            #expect(await messages.next() == nil)
            #expect(ada.closure == .byPeer(.internalError, reason: ""))
            for (path, code) in [("/steps", WebSocketCloseCode.normal), ("/steps?name=nobody", .internalError)] {
                let refused = try await connect(server.port, path)
                for await _ in refused.messages {}
                #expect(refused.closure == .byPeer(code, reason: ""))
            }
        }
    }

    @Test("a handler that throws closes with 1011, one that left its loop may still say good-bye")
    func endings() async throws {
        struct Failure: Error {}
        let failing = try WebSocketRoute("/failing") { _, _ in throw Failure() }
        let leaving = try WebSocketRoute("/leaving") { peer, _ in
            for await message in peer.messages where message == .text(Array("leave".utf8)) { break }
            try await peer.send(text: "good-bye")
            await peer.close(.replaced, reason: "left")
        }
        try await withServer {
            $0.webSocketRoutes = [failing, leaving]
        } _: { server in
            let failed = try await connect(server.port, "/failing")
            for await _ in failed.messages {}
            #expect(failed.closure == .byPeer(.internalError, reason: ""))
            let left = try await connect(server.port, "/leaving")
            var messages = left.messages.makeAsyncIterator()
            try await left.send(text: "stay")
            try await left.send(text: "leave")
            #expect(await messages.next() == .text(Array("good-bye".utf8)))
            #expect(await messages.next() == nil)
            #expect(left.closure == .byPeer(.replaced, reason: "left"))
        }
    }

    @Test("a server that ends closes the sockets of features with 1001, and their handlers return")
    func shutdown() async throws {
        let returned = Seen<WebSocketClosure?>()
        let route = try WebSocketRoute("/echo") { peer, request in
            try await Self.echo(peer, request)
            returned.add(peer.closure)
        }
        let peer = try await withServer {
            $0.webSocketRoutes = [route]
        } _: { server in
            let peer = try await connect(server.port, "/echo")
            try await peer.send(text: "here")
            var messages = peer.messages.makeAsyncIterator()
            #expect(await messages.next() == .text(Array("here".utf8)))
            await server.group.triggerGracefulShutdown()
            #expect(await messages.next() == nil)
            return peer
        }
        #expect(peer.closure == .byPeer(.goingAway, reason: "Server shutting down"))
        #expect(await returned.next() == .byUs)
    }

    @Test("routes that contradict each other or the server keep it from being made, saying which")
    func contradictions() throws {
        func make(_ sockets: [WebSocketRoute], _ requests: [HTTPRoute] = []) throws {
            var configuration = SignalingServerConfiguration()
            configuration.webSocketRoutes = sockets
            configuration.httpRoutes = requests
            _ = try SignalingServer(
                configuration: configuration,
                database: DatabaseQueue(),
                logger: Logger(label: "test")
            )
        }
        func socket(_ path: String, _ port: RoutePort = .shared) throws -> WebSocketRoute {
            try WebSocketRoute(path, on: port) { _, _ in }
        }
        func page(_ path: String, _ method: HTTPRoute.Method = .get, _ port: RoutePort = .shared) throws -> HTTPRoute {
            try HTTPRoute(method, path, on: port) { _, _ in .text("") }
        }
        #expect(throws: RouteError.taken(path: "/")) { try make([socket("/")]) }
        #expect(throws: RouteError.taken(path: "/a/{y}")) { try make([socket("/a/{x}"), socket("/a/{y}")]) }
        #expect(throws: RouteError.taken(path: "/health")) { try make([], [page("/health")]) }
        #expect(throws: RouteError.taken(path: "/{any}")) { try make([], [page("/{any}")]) }
        #expect(throws: RouteError.taken(path: "/b")) { try make([], [page("/b"), page("/b")]) }
        #expect(throws: RouteError.unclearPort(name: "n")) {
            try make([socket("/a", .own(name: "n", number: 1)), socket("/b", .own(name: "n", number: 2))])
        }
        #expect(throws: RouteError.unclearPort(name: "n")) { try make([socket("/a", .own(name: "n", number: 70_000))]) }
        try make(
            [socket("/a"), socket("/", .own(name: "n", number: 0))],
            [page("/b"), page("/b", .post), page("/health", .get, .own(name: "n", number: 0))]
        )
    }

    @Test("a client that pinned a key believes the server that has it, whatever the certificate names")
    func pinnedKey() async throws {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures/tls", withExtension: nil))
        let files = TLSFiles(
            certificate: folder.appending(path: "first-cert.pem"),
            key: folder.appending(path: "first-key.pem")
        )
        let route = try WebSocketRoute("/echo", handler: Self.echo)
        try await withServer {
            $0.tls = files
            $0.webSocketRoutes = [route]
        } _: { server in
            let url = try #require(URL(string: "wss://127.0.0.1:\(server.port)/echo"))
            let key = try #require(server.server.publicKeyHash)
            #expect(key != server.server.certificateHash)
            func connect(_ trust: WebSocketTrust) async throws -> WebSocketConnection {
                var configuration = WebSocketConfiguration()
                configuration.trust = trust
                return try await .connect(to: url, configuration: configuration)
            }
            let peer = try await connect(.publicKey(sha256: key))
            var messages = peer.messages.makeAsyncIterator()
            try await peer.send(text: "sealed")
            #expect(await messages.next() == .text(Array("sealed".utf8)))
            await peer.close(.normal, reason: "")
            await #expect(throws: WebSocketError.self) { try await connect(.publicKey(sha256: key.reversed())) }
            await #expect(throws: WebSocketError.self) { try await connect(.system) }
        }
    }
}
