import Kernel
import KernelTesting
import NetworkWebClient
import Testing
import WebClient

@Suite(.timeLimit(.minutes(1)))
struct HostileServerTests {
    private static let fine: [RawServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")]

    @Test("An answer comes with its status, its fields in order and its whole body")
    func answer() async throws {
        let text = "HTTP/1.1 201 Created\r\nX-One: a\r\nx-one: b\r\nContent-Length: 5\r\n\r\nhello"
        try await RawServer.run([.text(text)]) { server in
            try await withClient { client in
                let request = WebRequest(
                    .post,
                    try server.url("/a?b=c"),
                    fields: ["X-Two": "2"],
                    body: .bytes([0x68, 0x69])
                )
                let answer = try await client.collect(request)
                #expect(answer.status == 201)
                #expect(answer.fields.values(of: "X-ONE") == ["a", "b"])
                #expect(answer.body == Array("hello".utf8))
                let asked = try #require(server.requests.first)
                #expect(asked.hasPrefix("POST /a?b=c HTTP/1.1\r\n"))
                #expect(asked.lowercased().contains("x-two: 2\r\n"))
                #expect(asked.hasSuffix("\r\n\r\nhi"))
                #expect(!asked.lowercased().contains("accept-encoding"))
            }
        }
    }

    @Test("A redirect is told and not followed")
    func redirect() async throws {
        let text = "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/other\r\nContent-Length: 0\r\n\r\n"
        try await RawServer.run([.text(text)]) { server in
            try await withClient { client in
                let answer = try await client.collect(WebRequest(.get, try server.url()))
                #expect(answer.isRedirect)
                #expect(answer.fields["location"] == "http://127.0.0.1:1/other")
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("100 Continue before an answer is not the answer")
    func continues() async throws {
        try await RawServer.run([.text("HTTP/1.1 100 Continue\r\n\r\n")] + Self.fine) { server in
            try await withClient { client in
                let request = WebRequest(.post, try server.url(), fields: ["Expect": "100-continue"], body: .bytes([1]))
                #expect(try await client.collect(request).status == 200)
            }
        }
    }

    @Test("A server that ends its half of the connection behind the answer has answered")
    func halfClosed() async throws {
        try await RawServer.run([.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nto the end"), .halfClose]) {
            server in
            try await withClient { client in
                let answer = try await client.collect(WebRequest(.get, try server.url()))
                #expect(answer.body == Array("to the end".utf8))
            }
        }
    }

    @Test(
        "A body that ends before its announced end is no body",
        arguments: [
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        ]
    )
    func truncated(text: String) async throws {
        try await RawServer.run([.text(text), .close]) { server in
            try await withClient { client in
                let error = await failure(of: WebRequest(.get, try server.url()), at: client)
                #expect(error == .connectionLost(origin: "http://127.0.0.1:\(server.port)"))
            }
        }
    }

    @Test(
        "A body above its bound ends the request and its connection, announced or not",
        arguments: [
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"), .flood("xxxxxxxx")],
            [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), .flood("8\r\nxxxxxxxx\r\n")],
            [.text("HTTP/1.1 200 OK\r\n\r\n"), .flood("xxxxxxxx")],
        ] as [[RawServer.Step]]
    )
    func flood(steps: [RawServer.Step]) async throws {
        try await RawServer.run(steps) { server in
            try await withClient { client in
                let request = WebRequest(.get, try server.url(), largestBody: 1000)
                #expect(
                    await failure(of: request, at: client) == .bodyTooLarge(origin: request.url.origin, limit: 1000)
                )
                await server.ended()
            }
        }
    }

    @Test("A head without end is refused", arguments: ["X: y\r\n", "xxxxxxxx"])
    func head(line: String) async throws {
        try await RawServer.run([.text("HTTP/1.1 200 OK\r\nX-First: "), .flood(line)]) { server in
            try await withClient { client in
                let url = try server.url()
                #expect(await failure(of: WebRequest(.get, url), at: client) == .brokenAnswer(origin: url.origin))
                await server.ended()
            }
        }
    }

    @Test("A head that the library takes and that is above the bound is refused")
    func largeHead() async throws {
        let fields = (0..<100).map { "X-\($0): " + String(repeating: "y", count: 1000) + "\r\n" }.joined()
        try await RawServer.run([.text("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n")]) { server in
            try await withClient { client in
                let url = try server.url()
                let expected = WebClientError.headTooLarge(origin: url.origin, limit: WebExchange.largestHead)
                #expect(await failure(of: WebRequest(.get, url), at: client) == expected)
            }
        }
    }

    @Test("A compressed body arrives as it is, so that it cannot grow behind its bound")
    func compressed() async throws {
        let bytes: [UInt8] = [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0xFF]
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n"
        try await RawServer.run([.text(head), .bytes(bytes)]) { server in
            try await withClient { client in
                let answer = try await client.collect(WebRequest(.get, try server.url()))
                #expect(answer.body == bytes)
            }
        }
    }

    @Test("What speaks no HTTP is said to be no web server")
    func otherProtocol() async throws {
        try await RawServer.run([.text("220 mail.example ESMTP\r\n"), .close]) { server in
            try await withClient { client in
                let url = try server.url()
                #expect(await failure(of: WebRequest(.get, url), at: client) == .brokenAnswer(origin: url.origin))
            }
        }
    }

    @Test("A kept connection that ends as it is used costs a request that may be repeated nothing")
    func repeated() async throws {
        try await RawServer.run(Self.fine, [.close], Self.fine) { server in
            try await withClient { client in
                let request = WebRequest(.get, try server.url())
                _ = try await client.collect(request)
                #expect(try await client.collect(request).status == 200)
                #expect(server.requests.count == 3)
                #expect(server.connections == 2)
            }
        }
    }

    @Test("A request that may not be repeated is sent once, and one that may be at most twice")
    func repeatedOnce() async throws {
        try await RawServer.run([.close]) { server in
            try await withClient { client in
                let url = try server.url()
                let lost = WebClientError.connectionLost(origin: url.origin)
                #expect(await failure(of: WebRequest(.post, url), at: client) == lost)
                #expect(server.requests.count == 1)
                #expect(await failure(of: WebRequest(.get, url), at: client) == lost)
                #expect(server.requests.count == 3)
            }
        }
    }

    @Test(
        "A server that says nothing, or stops in the middle of its body, is left after the idle time",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"]
    )
    func silence(text: String) async throws {
        let clock = ManualClock()
        try await RawServer.run([.text(text)]) { server in
            try await withClient(NetworkWebClientConfiguration(time: clock)) { client in
                let url = try server.url()
                let timeouts = WebTimeouts(idle: .seconds(20), whole: .seconds(1_000_000))
                let moving = Task {
                    while server.requests.isEmpty { await Task.yield() }
                    // The wait may begin anew with each sign, so time moves until the request has ended.
                    while !Task.isCancelled {
                        await clock.sleepers()
                        clock.advance(by: .seconds(20))
                        await Task.yield()
                    }
                }
                let error = await failure(of: WebRequest(.get, url, timeouts: timeouts), at: client)
                moving.cancel()
                #expect(error == .timedOut(origin: url.origin, .sign, after: .seconds(20)))
                await server.ended()
            }
        }
    }

    @Test("A server that drips is left when the whole time is over")
    func drip() async throws {
        let clock = ManualClock()
        try await RawServer.run([.text("HTTP/1.1 200 OK\r\n\r\n"), .flood("x")]) { server in
            try await withClient(NetworkWebClientConfiguration(time: clock)) { client in
                let url = try server.url()
                let timeouts = WebTimeouts(idle: .seconds(1000), whole: .seconds(60))
                let request = WebRequest(.get, url, timeouts: timeouts, largestBody: .max)
                let error = await #expect(throws: WebClientError.self) {
                    try await client.send(request) { answer in
                        for try await _ in answer.body { clock.advance(by: .seconds(1)) }
                    }
                }
                #expect(error == .timedOut(origin: url.origin, .answer, after: .seconds(60)))
                await server.ended()
            }
        }
    }

    @Test("A reader that stops makes the server wait, and one that leaves closes the connection")
    func backPressure() async throws {
        try await RawServer.run([.text("HTTP/1.1 200 OK\r\n\r\n"), .flood(String(repeating: "x", count: 4096))]) {
            server in
            try await withClient { client in
                let request = WebRequest(.get, try server.url(), largestBody: .max)
                let first = try await client.send(request) { answer in
                    var reader = answer.body.makeAsyncIterator()
                    let first = try await reader.next()
                    // The server stops once the sockets are full: what it wrote is the same at two looks that are long apart for it.
                    var before = -1
                    while before != server.flooded {
                        before = server.flooded
                        for _ in 0..<2000 { await Task.yield() }
                    }
                    return first
                }
                #expect(first?.isEmpty == false)
                #expect(server.flooded < 64 << 20)
                await server.ended()
            }
        }
    }

    @Test(
        "A cancelled task ends its request at once, whether it waits for the head or the body",
        arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"]
    )
    func cancelled(text: String) async throws {
        try await RawServer.run([.text(text)]) { server in
            try await withClient { client in
                let request = WebRequest(.get, try server.url())
                let asking = Task { await failure(of: request, at: client) }
                while server.requests.isEmpty { await Task.yield() }
                asking.cancel()
                #expect(await asking.value == .cancelled)
                await server.ended()
            }
        }
    }

    @Test("Pieces of a known length are sent as one body")
    func upload() async throws {
        try await RawServer.run(Self.fine) { server in
            try await withClient { client in
                let pieces = Pieces(["ab", "", "cde"])
                let request = WebRequest(.put, try server.url(), body: .pieces(length: 5) { await pieces.next() })
                #expect(try await client.collect(request).status == 200)
                #expect(server.requests.first?.hasSuffix("\r\n\r\nabcde") == true)
            }
        }
    }

    @Test("Pieces that are more or fewer than announced end the request", arguments: [["ab"], ["abc", "def"]])
    func wrongLength(texts: [String]) async throws {
        try await RawServer.run(Self.fine) { server in
            try await withClient { client in
                let pieces = Pieces(texts)
                let request = WebRequest(.put, try server.url(), body: .pieces(length: 5) { await pieces.next() })
                #expect(await failure(of: request, at: client) == .wrongBodyLength(expected: 5))
            }
        }
    }

    @Test("A line break in a field is not sent")
    func lineBreak() async throws {
        try await RawServer.run(Self.fine) { server in
            try await withClient { client in
                let request = WebRequest(.get, try server.url(), fields: ["X": "a\r\nY: b"])
                #expect(await failure(of: request, at: client) == .malformedField("X"))
                #expect(server.connections == 0)
            }
        }
    }

    @Test("A port at which nobody listens is told at once, and a client that was shut down asks nobody")
    func refused() async throws {
        let client = try NetworkWebClient()
        var free = 0
        try await RawServer.run(Self.fine) { free = $0.port }
        let request = WebRequest(.get, try WebURL("http://127.0.0.1:\(free)/"))
        let error = await failure(of: request, at: client)
        #expect(error == .cannotConnect(origin: request.url.origin, reason: "connection refused"))
        await client.shutdown()
        #expect(await failure(of: request, at: client) == .closed)
    }

    @Test("An IPv6 address is asked as it stands in brackets")
    func ipv6() async throws {
        try await withClient { client in
            let request = WebRequest(.get, try WebURL("http://[::1]:1/"))
            let error = await failure(of: request, at: client)
            guard case .cannotConnect("http://[::1]:1", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}

/// Pieces in their order, for a request's body.
private actor Pieces {
    private var left: [String]

    init(_ texts: [String]) { left = texts }

    func next() -> [UInt8]? { left.isEmpty ? nil : Array(left.removeFirst().utf8) }
}
