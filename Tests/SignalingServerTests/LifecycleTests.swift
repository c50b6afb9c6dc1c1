import Foundation
import Kernel
import KernelTesting
import Sealing
import ServiceLifecycle
import SignalingServer
import Testing
import Transport

@Suite("Keepalive, slow readers, limits and the end", .timeLimit(.minutes(5)))
struct LifecycleTests {
    @Test("a socket that answers pings lives; one that does not is dropped at the second, and its contacts are told")
    func keepalive() async throws {
        let clock = ManualClock()
        let inOneStep: (inout SignalingServerConfiguration) -> Void = {
            $0.limits.pingSteps = 1
            $0.isLegacyOpen = true
        }
        try await withServer(inOneStep, clock: clock) { server in
            let watcher = try await server.peer("watcher")
            let dead = try await RawSocket.webSocket(port: server.port)
            try await dead.send(RawSocket.frame(0x81, Array(#"{"type":"register","peerId":"dead"}"#.utf8)))
            #expect(try await watcher.expectType("peer-status")["status"] == "online")
            await clock.sleepers()
            clock.advance(by: .seconds(30))
            // The watcher's own ping and pong are through when this round trip is.
            _ = await dead.received { $0.suffix(2) == [0x89, 0x00] }
            await clock.sleepers()
            try await watcher.connection.ping()
            try await watcher.expectNothing()
            clock.advance(by: .seconds(30))
            let gone = try await watcher.expectType("peer-status")
            #expect(gone["peerId"] == "dead")
            #expect(gone["status"] == "offline")
            let bytes = await dead.received()
            #expect(!bytes.contains(0x88), "a dead socket gets no close frame")
            try await watcher.expectNothing()
        }
    }

    @Test("a reader that does not read is closed with 1013 at its bound, while others go on", arguments: [1, 2])
    func slowReader(loops: Int) async throws {
        try await withServer {
            $0.eventLoops = loops
            $0.limits.outgoingBytes = 256 * 1024
            $0.limits.closeTimeout = .seconds(60)
            $0.limits.socketBytes = .unlimited
        } _: { server in
            let sender = try await server.peer("sender")
            let slow = try await server.connectSlowly("slow")
            let (left, right) = (try await server.peer("left"), try await server.peer("right"))
            let frame = #"{"type":"message","to":"slow","payload":"\#(String(repeating: "x", count: 64 * 1024))"}"#
            var isClosed = false
            for round in 0..<2000 where !isClosed {
                try await sender.send(raw: frame)
                guard round.isMultiple(of: 50) else { continue }
                try await left.send(["type": "message", "to": "right", "payload": .integer(Int64(round + 1))])
                #expect(try await right.expectType("message")["payload"] == .integer(Int64(round + 1)))
                // Once it is closed its frames are kept for it instead, and the sender hears of it.
                try await sender.send(["type": "ping"])
                while let answer = try await sender.next(), answer["type"] != "pong" { isClosed = true }
            }
            #expect(isClosed)
            while await slow.nextMessage() != nil {}
            #expect(slow.connection.closure == .byPeer(.tryAgainLater, reason: "Reading too slowly"))
        }
    }

    @Test("a socket over its rate is slowed down and loses nothing")
    func throttled() async throws {
        try await withServer {
            $0.limits.socketMessages = RateLimit(burst: 10, perSecond: 500)
        } _: { server in
            let peer = try await server.peer("a")
            let connection = peer.connection
            for number in 0..<200 {
                try await connection.send(text: #"{"type":"message","to":"a","payload":{"n":\#(number)}}"#)
            }
            for number in 0..<200 {
                #expect(try await peer.expectType("message")["payload"]?["n"] == .integer(Int64(number)))
            }
        }
    }

    @Test("the holder of an unmetered key is not slowed down")
    func unmetered() async throws {
        let identity = Identity()
        let did = identity.did
        try await withServer {
            // So slow that the test would not end.
            $0.limits.socketMessages = RateLimit(burst: 10, perSecond: 0.001)
            $0.isUnmetered = { $0 == did }
        } _: { server in
            let phone = try await server.connect()
            try await phone.register(did.text, proving: identity, host: phone.connection.host)
            try await phone.expectType("registered")
            for number in 0..<200 {
                try await phone.send([
                    "type": "message", "to": .string(did.text), "payload": ["n": .integer(Int64(number))],
                ])
            }
            for number in 0..<200 {
                #expect(try await phone.expectType("message")["payload"]?["n"] == .integer(Int64(number)))
            }
        }
    }

    @Test("sockets beyond the capacity are closed with 1013 after the handshake")
    func capacity() async throws {
        try await withServer {
            $0.limits.connections = 1
        } _: { server in
            let first = try await server.peer("a")
            let second = try await server.connect()
            #expect(await second.nextMessage() == nil)
            #expect(second.connection.closure == .byPeer(.tryAgainLater, reason: "Server at capacity"))
            try await first.expectNothing()
        }
    }

    @Test("at shutdown everyone is told and closed with 1001, and a stored frame is on disk")
    func shutdown() async throws {
        try await withServer { server in
            let peer = try await server.peer("a")
            let unregistered = try await server.connect()
            await server.group.triggerGracefulShutdown()
            for one in [peer, unregistered] {
                try await one.expectType("server-shutdown")
                #expect(await one.nextMessage() == nil)
                #expect(one.connection.closure == .byPeer(.goingAway, reason: "Server shutting down"))
            }
        }
    }

    @Test("a device that is kicked is told why and closed with 1000")
    func kick() async throws {
        try await withServer { server in
            let peer = try await server.peer("a")
            server.server.kick("a", reason: "too loud")
            #expect(try await peer.expectType("kicked")["reason"] == "too loud")
            #expect(await peer.nextMessage() == nil)
            #expect(peer.connection.closure == .byPeer(.normal, reason: ""))
        }
    }

    @Test("a port in use and a public address without a certificate are refused with a sentence")
    func refusedStarts() async throws {
        try await withServer { server in
            let port = server.port
            await #expect(
                throws: SignalingServerError.cannotListen(
                    address: "127.0.0.1",
                    port: port,
                    reason: "address already in use"
                )
            ) {
                try await withServer {
                    $0.port = port
                } _: { _ in
                }
            }
        }
        await #expect(throws: SignalingServerError.plainOnPublicAddress("203.0.113.7")) {
            try await withServer {
                $0.address = "203.0.113.7"
            } _: { _ in
            }
        }
    }

    @Test("frames cross event loops in order, small and large", .timeLimit(.minutes(5)))
    func manyLoops() async throws {
        try await withServer {
            $0.eventLoops = 3; $0.limits.socketMessages = .unlimited
        } _: { server in
            var peers: [TestPeer] = []
            for number in 0..<6 { peers.append(try await server.peer("p\(number)")) }
            let large = String(repeating: "x", count: 20_000)
            for round in 0..<100 {
                for (number, peer) in peers.enumerated() {
                    try await peer.send(
                        raw:
                            #"{"type":"message","to":"p\#((number + 1) % 6)","payload":{"n":\#(round),"x":"\#(round % 5 == 0 ? large : "")"}}"#
                    )
                }
            }
            for peer in peers {
                for round in 0..<100 {
                    #expect(try await peer.expectType("message")["payload"]?["n"] == .integer(Int64(round)))
                }
            }
        }
    }
}

extension TestServer {
    /// Registered, and then not reading until it is asked for messages.
    func connectSlowly(_ id: String) async throws -> TestPeer {
        var configuration = WebSocketConfiguration()
        configuration.bufferedMessages = 2
        guard let url = URL(string: "ws://127.0.0.1:\(port)/") else { throw WebSocketError.invalidURL("") }
        let peer = TestPeer(try await .connect(to: url, configuration: configuration))
        try await peer.send(["type": "register", "peerId": .string(id)])
        try await peer.expectType("registered")
        return peer
    }
}
