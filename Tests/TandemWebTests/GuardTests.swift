import Foundation
import Kernel
import NIOCore
import Testing
import Transport

@testable import TandemWeb

@Suite("Who may ask the page", .timeLimit(.minutes(2)))
struct GuardTests {
    private static let headers = [
        "content-security-policy", "x-content-type-options", "x-frame-options", "referrer-policy",
        "cross-origin-opener-policy", "cross-origin-resource-policy", "cache-control",
    ]

    @Test(
        "a host that is not this page is misdirected, whoever rebound its name here",
        arguments: [
            "evil.example:PORT", "evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:PORT",
            "10.0.0.1:PORT",
            "[::1]:PORT", "x.localhost:PORT", "127.0.0.1:PORT.evil.example",
        ]
    )
    func host(name: String) async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let host = name.replacing("PORT", with: "\(browser.port)")
            for path in ["/", "/api/hello", "/sign-in?token=x"] {
                #expect(try await browser.ask("GET", path, fields: ["Host": host]).status == 421, "\(path)")
            }
            #expect(try await browser.ask("POST", "/api/call", fields: ["Host": host]).status == 421)
        }
    }

    @Test("a host that is said twice is none")
    func twoHosts() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let own = "127.0.0.1:\(browser.port)"
            let twice: [String: String?] = ["Host": own, "host": "evil.example"]
            #expect(try await browser.ask("GET", "/api/hello", fields: twice).status == 421)
            #expect(try await browser.ask("GET", "/", fields: twice).status == 421)
        }
    }

    @Test("localhost leads to the address and serves nothing: another account may hold that name's other address")
    func names() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let own = "127.0.0.1:\(browser.port)"
            #expect(try await browser.ask("GET", "/api/hello", fields: ["Host": own]).status == 200)
            for host in ["localhost:\(browser.port)", "LOCALHOST:\(browser.port)"] {
                #expect(try await browser.ask("GET", "/api/hello", fields: ["Host": host]).status == 421)
                #expect(try await browser.ask("GET", "/app.js", fields: ["Host": host]).status == 421)
                let fields = ["Host": host, "Origin": "http://\(host)"]
                #expect(try await browser.ask("POST", "/api/call", fields: fields).status == 421)
                #expect(try await browser.ask("POST", "/", fields: fields).status == 421)
                for path in ["/", "/sign-in?token=x"] {
                    let answer = try await browser.ask("GET", path, fields: ["Host": host])
                    #expect(answer.status == 303)
                    #expect(answer.fields["location"] == "http://\(own)\(path)")
                    #expect(answer.fields["set-cookie"] == nil)
                }
            }
        }
    }

    @Test(
        "another page writes nothing and opens no socket, with a stolen cookie too",
        arguments: [
            "http://evil.example", "http://127.0.0.1:1", "http://localhost:PORT", "https://127.0.0.1:PORT", "null", nil,
        ]
    )
    func origin(text: String?) async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let origin = text?.replacing("PORT", with: "\(browser.port)")
            let body = JSONValue.object(["method": "echo", "params": ["text": "a"]]).canonicalBytes
            let answer = try await browser.ask("POST", "/api/call", fields: ["Origin": origin], body: body)
            #expect(answer.status == 403)
            await #expect(throws: WebSocketError.refused(status: 403)) {
                _ = try await browser.socket("/api/events", fields: ["Origin": origin ?? ""])
            }
        }
    }

    @Test("what a browser says another site asks for is refused; a link to the page is followed")
    func site() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            for site in ["cross-site", "same-site"] {
                let fields = ["Sec-Fetch-Site": site]
                #expect(try await browser.ask("GET", "/api/hello", fields: fields).status == 403)
                #expect(try await browser.ask("GET", "/", fields: fields).status == 403)
                let navigation = [
                    "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
                ]
                #expect(try await browser.ask("GET", "/", fields: navigation).status == 503, "without files")
                #expect(try await browser.ask("GET", "/api/files", fields: navigation).status == 403)
                let framed = ["Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"]
                #expect(try await browser.ask("GET", "/", fields: framed).status == 403)
            }
            for site in ["same-origin", "none"] {
                #expect(try await browser.ask("GET", "/api/hello", fields: ["Sec-Fetch-Site": site]).status == 200)
            }
        }
    }

    @Test("without a session nothing is told")
    func session() async throws {
        try await PageScene.run { scene in
            for (method, path) in [
                ("GET", "/api/hello"), ("GET", "/api/methods"), ("POST", "/api/call"), ("POST", "/api/scan"),
                ("POST", "/api/qr"), ("POST", "/api/sign-out"), ("GET", "/api/nothing"),
            ] {
                let answer = try await scene.client.ask(method, path)
                #expect(answer.status == 401, "\(path)")
                #expect(answer.code == "signed-out")
            }
            await #expect(throws: WebSocketError.refused(status: 401)) {
                _ = try await scene.client.socket("/api/events")
            }
            var stranger = scene.client
            stranger.cookie = "tandem-desktop-\(stranger.port)=\(Base64URL.encode(Array(repeating: 7, count: 32)))"
            #expect(try await stranger.ask("GET", "/api/hello").status == 401)
        }
    }

    @Test("every answer tells the browser how little it may do with it")
    func headers() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let answers = [
                try await browser.ask("GET", "/"), try await browser.ask("GET", "/nothing"),
                try await browser.ask("GET", "/api/hello"), try await browser.ask("GET", "/api/nothing"),
                try await scene.client.ask("GET", "/api/hello"), try await browser.ask("PUT", "/api/hello"),
                try await browser.ask("GET", "/", fields: ["Host": "evil.example"]),
                try await browser.ask("GET", "/sign-in?token=x"), try await browser.ask("POST", "/api/call"),
                try await browser.ask("POST", "/"), try await browser.call("nothing"),
                try await browser.ask("GET", "/api/events"),
                try await scene.client.ask("GET", "/api/events", fields: Self.upgrade),
                try await browser.ask("GET", "/api/nothing", fields: Self.upgrade),
            ]
            for (index, answer) in answers.enumerated() {
                for name in Self.headers { #expect(answer.fields[name] != nil, "\(name) of \(index)") }
                #expect(answer.fields["content-security-policy"]?.contains("default-src 'none'") == true)
                #expect(answer.fields["content-security-policy"]?.contains("script-src 'self';") == true)
            }
        }
    }

    private static let upgrade: [String: String?] = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    @Test("a program of another user gets no answer at all")
    func otherUser() async throws {
        try await PageScene.run(.init(isOwn: { _ in false })) { scene in
            await #expect(throws: (any Error).self) { try await scene.client.ask("GET", "/") }
        }
    }

    @Test("the system's table tells whose the other end is")
    func table() throws {
        let peer = try #require(
            LoopbackPeer(
                remote: try SocketAddress(ipAddress: "127.0.0.1", port: 0xECF0),
                local: try SocketAddress(ipAddress: "127.0.0.1", port: 8700)
            )
        )
        #expect(peer.client == "0100007F:ECF0")
        #expect(peer.server == "0100007F:21FC")
        func table(_ uid: Int, inode: Int = 1135) -> String {
            """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:21FC 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1134 1 0
               1: 0100007F:ECF0 0100007F:21FC 01 00000000:00000000 00:00000000 00000000  \(uid)        0 \(inode) 3 0

            """
        }
        #expect(peer.isOwn(in: table(1000), user: 1000))
        #expect(!peer.isOwn(in: table(1001), user: 1000))
        #expect(peer.isOwn(in: table(0), user: 1000))
        #expect(!peer.isOwn(in: table(0, inode: 0), user: 1000), "closed by whoever it was")
        #expect(!peer.isOwn(in: table(0, inode: 0), user: 0))
        let other = try #require(
            LoopbackPeer(
                remote: try SocketAddress(ipAddress: "127.0.0.1", port: 1),
                local: try SocketAddress(ipAddress: "127.0.0.1", port: 8700)
            )
        )
        #expect(!other.isOwn(in: table(1000), user: 1000), "it has gone by now")
        #expect(other.isOwn(in: "sl local\n", user: 1000), "the system tells nothing")
        let newer = try #require(
            LoopbackPeer(
                remote: try SocketAddress(ipAddress: "::1", port: 0xECF0),
                local: try SocketAddress(ipAddress: "::1", port: 8700)
            )
        )
        #expect(newer.client == "00000000000000000000000001000000:ECF0")
        #expect(newer.isIPv6)
    }

    @Test("only loopback is listened on", arguments: ["0.0.0.0", "192.168.1.20", "::", "example.org", "127.0.0.2"])
    func loopback(address: String) {
        #expect(throws: PageError.notLoopback(address: address)) {
            try PageConfiguration.Place(address: address, port: 8700)
        }
    }

    @Test("a head that is too long or never ends is given up")
    func heads() async throws {
        try await PageScene.run { scene in
            let long =
                "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(scene.client.port)\r\nX: \(String(repeating: "x", count: 20_000))"
            let answer = try PageClient.parse(try await PageClient.exchange(Array(long.utf8), port: scene.client.port))
            #expect(answer.status == 431)
        }
    }
}
