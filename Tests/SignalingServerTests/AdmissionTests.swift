import Foundation
import Kernel
import KernelTesting
import RouteServer
import Sealing
import Testing

@testable import SignalingServer
@testable import Transport

@Suite("Which requests are answered", .timeLimit(.minutes(4)))
struct RequestGuardTests {
    @Test(
        "upgrades and requests for this machine are answered, those for another host are not",
        arguments: [
            ("127.0.0.1", 101), ("127.0.0.1:9001", 421), ("localhost", 101), ("LOCALHOST.:80", 101), ("[::1]", 101),
            ("[::1]:9001", 421),
            ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("203.0.113.99:9001", 421), ("0.0.0.0", 421),
            ("hub.example.org", 101), ("hub.example.org:8443", 101), ("sub.hub.example.org", 421), ("a@127.0.0.1", 421),
        ]
    )
    func hosts(host: String, status: Int) async throws {
        try await withServer {
            $0.names = ["hub.example.org"]
        } _: { server in
            let upgraded = try await server.status(of: RawSocket.upgrade(host: host))
            #expect(upgraded == status)
            let request = Array("GET /health HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n".utf8)
            let answered = try await server.status(of: request)
            #expect(answered == (status == 101 ? 200 : status))
        }
    }

    @Test("a request that names two hosts is refused")
    func twoHosts() async throws {
        try await withServer { server in
            let request = RawSocket.upgrade("Host: evil.example\r\n")
            let refused = try await server.status(of: request)
            #expect(refused == 400)
            let plain = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
            let misdirected = try await server.status(of: Array(plain.utf8))
            #expect(misdirected == 421)
        }
    }

    @Test("a request that names two origins is refused, also where both may ask")
    func twoOrigins() async throws {
        try await withServer {
            $0.allowedOrigins = ["https://app.example.org"]
        } _: { server in
            let origins = "Origin: https://app.example.org\r\nOrigin: http://127.0.0.1\r\n"
            let upgraded = try await server.status(of: RawSocket.upgrade(origins))
            #expect(upgraded == 403)
            let plain = "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\(origins)Connection: close\r\n\r\n"
            let answered = try await server.status(of: Array(plain.utf8))
            #expect(answered == 403)
        }
    }

    @Test(
        "programs connect and so do the server's own pages and allowed sites; other pages do not",
        arguments: [
            ("http://127.0.0.1", 101), ("http://127.0.0.1:80", 101), ("https://app.example.org", 101),
            ("http://127.0.0.1:8080", 403), ("http://evil.example", 403), ("null", 403), ("file://", 403),
            ("https://app.example.org.evil.example", 403), ("chrome-extension://abc", 403),
        ]
    )
    func origins(origin: String, status: Int) async throws {
        try await withServer {
            $0.allowedOrigins = ["https://app.example.org"]
        } _: { server in
            let upgrade = RawSocket.upgrade("Origin: \(origin)\r\n")
            let upgraded = try await server.status(of: upgrade)
            #expect(upgraded == status)
            let request = Array(
                "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: \(origin)\r\nConnection: close\r\n\r\n".utf8
            )
            let answered = try await server.status(of: request)
            #expect(answered == (status == 101 ? 200 : status))
        }
    }

    @Test("the certificate's names are names of the server, and a proof made for another host has no use")
    func proofForAnotherHost() async throws {
        let tls = try #require(Bundle.module.url(forResource: "Fixtures/tls", withExtension: nil))
        let files = TLSFiles(
            certificate: tls.appending(path: "named-cert.pem"),
            key: tls.appending(path: "named-key.pem")
        )
        let identity = try files.identity()
        let names = ServerNames(
            configured: ["[2001:db8::5]:9001"],
            machine: "Studio.lan",
            certificateNames: {
                identity.names
            }
        )
        func knows(_ host: String, isProxied: Bool = false) throws -> Bool {
            let host = try #require(RequestAuthority(host))
            let local = NetworkAddress(text: "192.0.2.1")
            return names.contains(host, local: local, port: 9001, isProxied: isProxied, now: 1)
        }
        for known in [
            "hub.example.org", "a.hubs.example.org:443", "studio", "studio.local:9001", "STUDIO.lan", "192.0.2.1:9001",
            "[2001:db8::5]",
        ] { #expect(try knows(known), "\(known)") }
        // Loopback counts only from this machine: elsewhere it is the attacker's own.
        for unknown in ["127.0.0.1", "localhost", "hubs.example.org", "a.b.hubs.example.org", "203.0.113.99", "[::1]"] {
            #expect(try !knows(unknown), "\(unknown)")
        }
        // Another port is another program's.
        for foreign in ["192.0.2.1:9002", "studio:9002", "hub.example.org:8443", "[2001:db8::5]:9002"] {
            #expect(try !knows(foreign), "\(foreign)")
        }
    }

    @Test("a name that is given without a port is reached through forwarding, by any port; one with a port by that one")
    func forwardedPorts() throws {
        let names = ServerNames(
            configured: ["hub.example.org", "127.0.0.1:8080", "198.51.100.7"],
            address: "0.0.0.0",
            machine: "studio",
            certificateNames: { [] }
        )
        func knows(_ host: String, port: Int = 9001) throws -> Bool {
            let host = try #require(RequestAuthority(host))
            return names.contains(host, local: NetworkAddress(text: "127.0.0.1"), port: port, isProxied: false, now: 1)
        }
        for known in [
            "hub.example.org:8443", "hub.example.org", "198.51.100.7:1", "127.0.0.1:8080", "127.0.0.1:9001",
            "localhost:9001", "studio.local:9001", "127.0.0.1", "localhost:443",
        ] { #expect(try knows(known), "\(known)") }
        for unknown in ["127.0.0.1:8081", "localhost:8080", "studio:8080", "0.0.0.0:8080"] {
            #expect(try !knows(unknown), "\(unknown)")
        }
    }

    @Test("a proof that was made for another port of this host is passed on in vain")
    func proofForAnotherPort() async throws {
        try await withServer { server in
            for (port, status) in [(server.port, 101), (server.port - 1, 421)] {
                let upgraded = try await server.status(of: RawSocket.upgrade(host: "127.0.0.1:\(port)"))
                #expect(upgraded == status)
            }
        }
    }

    @Test("over TLS a proof that is bound to another certificate is refused, and one bound to this certificate holds")
    func channelBinding() async throws {
        let tls = try #require(Bundle.module.url(forResource: "Fixtures/tls", withExtension: nil))
        try await withServer {
            $0.tls = TLSFiles(
                certificate: tls.appending(path: "named-cert.pem"),
                key: tls.appending(path: "named-key.pem")
            )
        } _: { server in
            let hash = try #require(server.server.certificateHash)
            let identity = Identity()
            func answer(bindingTo hash: [UInt8]) async throws -> JSONValue {
                var configuration = WebSocketConfiguration()
                configuration.trust = .certificate(sha256: try #require(server.server.certificateHash))
                let url = try #require(URL(string: "wss://127.0.0.1:\(server.port)/"))
                let peer = TestPeer(try await .connect(to: url, configuration: configuration))
                #expect(peer.connection.certificateHash == server.server.certificateHash)
                let key = JSONValue.string(identity.did.text)
                try await peer.send(["type": "register", "peerId": "pc-77", "e2e": ["v": 1, "key": key]])
                let challenge = try await peer.expectType("challenge")
                #expect(challenge["cb"] == ["tls-server-end-point"])
                let nonce = try #require(challenge["nonce"]?.stringValue)
                let signature = try RegistrationProof.sign(
                    identity: identity,
                    peerID: "pc-77",
                    nonce: try #require(Base64URL.decode(nonce)),
                    host: peer.connection.host,
                    binding: ChannelBinding(certificateHash: hash)
                )
                try await peer.send([
                    "type": "register", "peerId": "pc-77",
                    "e2e": [
                        "v": 1, "key": key, "nonce": .string(nonce), "sig": .string(Base64URL.encode(signature)),
                        "cb": .string(Base64URL.encode(hash)), "cbType": "tls-server-end-point",
                    ],
                ])
                return try #require(try await peer.next())
            }
            #expect(try await answer(bindingTo: [UInt8](repeating: 7, count: 32))["code"] == "proof-failed")
            #expect(try await answer(bindingTo: hash)["e2e"]?["proven"] == true)
            await #expect(throws: WebSocketError.self) {
                var configuration = WebSocketConfiguration()
                configuration.trust = .certificate(sha256: [UInt8](repeating: 7, count: 32))
                let url = try #require(URL(string: "wss://127.0.0.1:\(server.port)/"))
                _ = try await WebSocketConnection.connect(to: url, configuration: configuration)
            }
        }
    }
}

@Suite("Whose connection it is, behind a proxy", .timeLimit(.minutes(4)))
struct ProxyTests {
    /// The address under which the only peer is listed.
    private func address(
        sending bytes: [UInt8],
        _ change: @escaping (inout SignalingServerConfiguration) -> Void
    ) async throws -> String? {
        try await withServer(change) { server in
            let socket = try await RawSocket(port: server.port)
            try await socket.send(bytes)
            _ = await socket.received { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
            try await socket.send(RawSocket.frame(0x81, Array(#"{"type":"register","peerId":"a"}"#.utf8)))
            await socket.received { String(decoding: $0, as: UTF8.self).contains("registered") }
            let address = server.server.peers().first?.address
            await socket.close()
            return address
        }
    }

    private let forwarded = "X-Forwarded-For: 203.0.113.9, 198.51.100.7\r\nX-Forwarded-For: 10.1.2.3\r\n"

    @Test("X-Forwarded-For is believed of a trusted proxy alone, up to the first that is none")
    func forwardedFor() async throws {
        let upgrade = RawSocket.upgrade(host: "hub.example.org", forwarded)
        let trusted = try await address(sending: upgrade) {
            $0.names = ["hub.example.org"]
            $0.trustedProxies = ["127.0.0.0/8", "10.0.0.0/8"].compactMap { AddressRange($0) }
        }
        #expect(trusted == "198.51.100.7")
        let untrusted = try await address(sending: upgrade) { $0.names = ["hub.example.org"] }
        #expect(untrusted == "127.0.0.1")
    }

    @Test(
        "the PROXY protocol's header, version 2, tells the address, of IPv6 the /64; without it a trusted proxy is not heard"
    )
    func proxyProtocol() async throws {
        let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
        let upgrade = RawSocket.upgrade(host: "hub.example.org")
        let four: [UInt8] = signature + [0x21, 0x11, 0, 12, 203, 0, 113, 9, 192, 0, 2, 1, 1, 1, 2, 2]
        let sixAddress: [UInt8] = [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 5] + [UInt8](repeating: 1, count: 8)
        let six: [UInt8] =
            signature + [0x21, 0x21, 0, 39] + sixAddress + [UInt8](repeating: 2, count: 16) + [1, 1, 2, 2] + [4, 0, 0]
        let configure: (inout SignalingServerConfiguration) -> Void = {
            $0.names = ["hub.example.org"]
            $0.trustedProxies = ["127.0.0.1"].compactMap { AddressRange($0) }
            $0.readsProxyProtocol = true
        }
        #expect(try await address(sending: four + upgrade, configure) == "203.0.113.9")
        #expect(try await address(sending: six + upgrade, configure) == "2001:db8:0:5::/64")
        try await withServer(configure) { server in
            let bare = try await server.status(of: upgrade)
            #expect(bare == nil)
            let malformed = try await server.status(of: signature + [0x31, 0x11, 0, 0] + upgrade)
            #expect(malformed == nil)
        }
    }

    @Test("ten wrong codes of one client behind a trusted proxy leave the codes of another alone")
    func guessesBehindProxy() async throws {
        try await withServer {
            $0.names = ["hub.example.org"]
            $0.trustedProxies = ["127.0.0.1"].compactMap { AddressRange($0) }
            $0.limits.socketAliases = .unlimited
        } _: { server in
            func peer(_ id: String, from address: String) async throws -> TestPeer {
                let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/"))
                // The name is what the proxy passes on.
                let headers = [(name: "X-Forwarded-For", value: address)]
                let peer = TestPeer(try await .connect(to: url, headers: headers))
                try await peer.send(["type": "register", "peerId": .string(id)])
                try await peer.expectType("registered")
                return peer
            }
            let desktop = try await peer("pairing-code:482913", from: "203.0.113.1")
            let guesser = try await peer("guesser", from: "203.0.113.2")
            for guess in 0..<12 {
                try await guesser.send([
                    "type": "message", "to": .string("pairing-code:0000\(10 + guess)"), "payload": 1,
                ])
                try await guesser.expectType("peer-offline")
            }
            let phone = try await peer("phone", from: "203.0.113.3")
            try await phone.send(["type": "message", "to": "pairing-code:482913", "payload": 2])
            #expect(try await desktop.expectType("message")["payload"] == 2)
        }
    }

    @Test("one address gets 32 sockets of a computer's own server; other addresses and loopback are not held to that")
    func socketsOfOneAddress() async throws {
        let limits = SignalingLimits.ofComputer
        #expect(limits.connectionsPerAddress == 32)
        #expect(limits.connections == 256)
        try await withServer {
            $0.names = ["hub.example.org"]
            $0.trustedProxies = ["127.0.0.1"].compactMap { AddressRange($0) }
            $0.limits.connections = limits.connections
            $0.limits.connectionsPerAddress = limits.connectionsPerAddress
        } _: { server in
            func upgrade(from address: String) -> [UInt8] {
                RawSocket.upgrade(host: "hub.example.org", "X-Forwarded-For: \(address)\r\n")
            }
            var sockets: [RawSocket] = []
            for _ in 0..<limits.connectionsPerAddress {
                let socket = try await RawSocket(port: server.port)
                try await socket.send(upgrade(from: "203.0.113.1"))
                let answer = await socket.received { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
                #expect(String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 101 "))
                sockets.append(socket)
            }
            let further = try await server.status(of: upgrade(from: "203.0.113.1"))
            #expect(further == 429)
            let other = try await server.status(of: upgrade(from: "203.0.113.2"))
            #expect(other == 101)
            await sockets.removeLast().close()
            // Its place is free again once the server has heard.
            while try await server.status(of: upgrade(from: "203.0.113.1")) != 101 { try Task.checkCancellation() }
            for socket in sockets { await socket.close() }
        }
        try await withServer {
            $0.limits.connectionsPerAddress = 1
        } _: { server in
            let first = try await server.peer("a")
            let second = try await server.peer("b")
            try await first.expectNothing()
            try await second.expectNothing()
        }
    }

    @Test("addresses that stay do not take the places that are kept for somebody new")
    func newcomers() async throws {
        let own = SignalingLimits.ofComputer
        #expect(own.newcomerConnections == 32)
        #expect(own.connections - own.reservedConnections - own.newcomerConnections == 6 * own.connectionsPerAddress)
        try await withServer {
            $0.names = ["hub.example.org"]
            $0.trustedProxies = ["127.0.0.1"].compactMap { AddressRange($0) }
            $0.limits.connections = 8
            $0.limits.reservedConnections = 4
            $0.limits.newcomerConnections = 2
        } _: { server in
            let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/"))
            func registered(_ id: String, from address: String) async throws -> (peer: TestPeer, answer: JSONValue?) {
                let headers = [(name: "X-Forwarded-For", value: address)]
                let peer = TestPeer(try await .connect(to: url, headers: headers))
                try await peer.send(["type": "register", "peerId": .string(id)])
                return (peer, try await peer.next())
            }
            var peers: [TestPeer] = []
            for (id, address, type) in [
                ("a", "203.0.113.1", "registered"), ("b", "203.0.113.1", "registered"), ("c", "203.0.113.1", "error"),
                // Each of these holds none yet.
                ("d", "203.0.113.2", "registered"), ("e", "203.0.113.3", "registered"), ("f", "203.0.113.2", "error"),
            ] {
                let (peer, answer) = try await registered(id, from: address)
                #expect(answer?["type"] == .string(type), "\(id)")
                if type == "error" { #expect(answer?["code"] == "full") }
                peers.append(peer)
            }
            for peer in peers { await peer.close() }
        }
    }

    @Test("networks of addresses", arguments: ["10.0.0.0/8", "10.1.0.0/15", "10.1.2.3", "::ffff:10.1.2.3"])
    func ranges(text: String) throws {
        let range = try #require(AddressRange(text))
        #expect(range.contains(try #require(NetworkAddress(text: "10.1.2.3"))))
        #expect(!range.contains(try #require(NetworkAddress(text: "11.1.2.3"))))
        #expect(!range.contains(try #require(NetworkAddress(text: "2001:db8::1"))))
    }

    @Test("what is no network is none", arguments: ["", "hub", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "/8"])
    func noRange(text: String) { #expect(AddressRange(text) == nil) }

    @Test("an IPv6 host's limits are kept for its /64, an IPv4 address in IPv6 clothes for itself")
    func limitKeys() throws {
        #expect(NetworkAddress(text: "2001:db8::1:2:3:4")?.limitKey == "2001:db8:0:0::/64")
        #expect(NetworkAddress(text: "2001:db8::5")?.limitKey == "2001:db8:0:0::/64")
        #expect(NetworkAddress(text: "fe80::1%eth0")?.limitKey == "fe80:0:0:0::/64")
        #expect(NetworkAddress(text: "::ffff:192.0.2.7")?.limitKey == "192.0.2.7")
    }
}
