import Foundation
import Kernel
import SignalingServer
import Testing
import Transport

@Suite("Bad input reaches whoever sent it, and nobody else", .timeLimit(.minutes(5)))
struct BadInputTests {
    /// The close code the server answered raw bytes with.
    private func closeCode(_ bytes: [UInt8], _ server: TestServer) async throws -> Int {
        let socket = try await RawSocket.webSocket(port: server.port)
        try await socket.send(bytes)
        let answer = await socket.received { $0.count >= 4 }
        await socket.close()
        guard answer.count >= 4, answer[0] == 0x88 else { return 0 }
        return Int(answer[2]) << 8 | Int(answer[3])
    }

    @Test("each broken frame closes its own connection with the right code, and the others go on")
    func frames() async throws {
        try await withServer { server in
            let bystander = try await server.peer("bystander")
            let unmasked: [UInt8] = [0x81, 0x02, 0x7B, 0x7D]
            #expect(try await closeCode(unmasked, server) == 1002)
            // A reserved bit.
            #expect(try await closeCode(RawSocket.frame(0xC1, [0x61]), server) == 1002)
            // A reserved opcode.
            #expect(try await closeCode(RawSocket.frame(0x83, [0x61]), server) == 1002)
            // A fragmented ping.
            #expect(try await closeCode(RawSocket.frame(0x09, []), server) == 1002)
            // A continuation of nothing.
            #expect(try await closeCode(RawSocket.frame(0x80, [0x61]), server) == 1002)
            // Half a close code.
            #expect(try await closeCode(RawSocket.frame(0x88, [0x03]), server) == 1002)
            // Not UTF-8.
            #expect(try await closeCode(RawSocket.frame(0x81, [0xC3, 0x28]), server) == 1007)
            // 5 MiB.
            #expect(try await closeCode([0x81, 0xFF, 0, 0, 0, 0, 0, 0x50, 0, 0, 0, 0, 0, 0], server) == 1009)
            // A length not in its shortest form.
            #expect(try await closeCode([0x81, 0xFE, 0, 1, 0, 0, 0, 0], server) == 1002)
            try await bystander.send(["type": "message", "to": "bystander", "payload": 1])
            try await bystander.expectType("message")
        }
    }

    @Test("a message of 5 MiB is closed with 1009, one of exactly 1 MiB is forwarded")
    func sizes() async throws {
        try await withServer { server in
            let peer = try await server.peer("a")
            let target = try await server.peer("b")
            let frame = #"{"type":"message","to":"b","payload":"#
            let payload = String(repeating: "x", count: 1024 * 1024 - frame.utf8.count - 3)
            try await peer.send(raw: "\(frame)\"\(payload)\"}")
            #expect(try await target.expectType("message")["payload"]?.stringValue?.count == payload.count)
            do {
                try await peer.send(raw: String(repeating: "x", count: 5 * 1024 * 1024))
            } catch WebSocketError.closed {
                // The answer may come before the last byte has left.
            }
            #expect(await peer.nextMessage() == nil)
            #expect(peer.connection.closure == .byPeer(.tooBig, reason: "A message is at most 1048576 bytes"))
            try await target.expectNothing()
        }
    }

    @Test("fragments make one message, with a ping in between")
    func fragments() async throws {
        // No pings in between.
        try await withServer {
            $0.limits.pingInterval = .seconds(3600)
        } _: { server in
            let socket = try await RawSocket.webSocket(port: server.port)
            let text = Array(#"{"type":"ping"}"#.utf8)
            try await socket.send(RawSocket.frame(0x01, Array(text[..<5])))
            try await socket.send(RawSocket.frame(0x89, [9]) + RawSocket.frame(0x00, Array(text[5..<9])))
            try await socket.send(RawSocket.frame(0x80, Array(text[9...])))
            let answer = await socket.received { $0.count > 10 }
            #expect(Array(answer[..<3]) == [0x8A, 0x01, 9])
            #expect(String(decoding: answer[5...], as: UTF8.self).hasPrefix(#"{"type":"pong","#))
            await socket.close()
        }
    }

    @Test(
        "what is no frame of ours is answered with an error and the connection stays",
        arguments: [
            #"{"a":tru}"#, "[1,]", "{\"to\":\"a\",\"to\":\"b\",\"type\":\"message\",\"payload\":1}", "\u{0}\u{1}\u{2}",
            #"{"type":"message","t\u006f":"a","payload":1}"#, String(repeating: "[", count: 5000),
            #"{"type":"register","peerId":"a","peerId":"b"}"#, #"{"type":"offer","to":"a","x":1,"x":2}"#,
        ]
    )
    func notFrames(text: String) async throws {
        try await withServer { server in
            let peer = try await server.peer("a")
            try await peer.send(raw: text)
            #expect(try await peer.expectType("error")["error"] == "Invalid message format")
            try await peer.connection.send(binary: [0xFF, 0xFE, 0x00])
            #expect(try await peer.expectType("error")["error"] == "Invalid message format")
            try await peer.expectNothing()
        }
    }

    @Test("values of the wrong type are refused with a sentence")
    func wrongTypes() async throws {
        try await withServer { server in
            let peer = try await server.peer("a")
            for frame: JSONValue in [
                ["type": "message", "to": ["x": 1], "payload": 1], ["type": "message", "to": 5, "payload": 1],
                ["type": "offer", "to": true, "sdp": "s"],
            ] {
                try await peer.send(frame)
                #expect(try await peer.expectType("error")["error"] == "The \"to\" field must be a string")
            }
            try await peer.send(["type": "message", "to": .string(String(repeating: "x", count: 257)), "payload": 1])
            #expect(try await peer.expectType("error")["error"] == "The \"to\" field is at most 256 bytes")
            try await peer.send(["type": .array([1, 2])])
            #expect(try await peer.expectType("error")["error"] == "Unknown message type: [1,2]")
            try await peer.send(["type": .object(["a": 1])])
            #expect(try await peer.expectType("error")["error"] == "Unknown message type: [object Object]")
            try await peer.send([
                "type": "register", "peerId": "b", "deviceInfo": .string(String(repeating: "x", count: 5000)),
            ])
            #expect(try await peer.expectType("error")["code"] == "invalid-device")
        }
    }

    @Test("ten thousand ids on one socket: eight are taken, the rest refused, and others do not notice")
    func manyRegistrations() async throws {
        try await withServer {
            $0.limits.socketMessages = .unlimited
        } _: { server in
            let bystander = try await server.peer("bystander")
            let flooder = try await server.connect()
            async let refused = {
                var refused = 0
                for _ in 0..<10_000 where try await flooder.next()?["code"] == "too-many-ids" { refused += 1 }
                return refused
            }()
            let connection = flooder.connection
            for number in 0..<10_000 {
                try await connection.send(text: #"{"type":"register","peerId":"flood-\#(number)"}"#)
            }
            #expect(try await refused == 9992)
            try await bystander.expectNothing()
        }
    }

    @Test("two thousand sockets that come and go leave nothing behind")
    func churn() async throws {
        try await withServer { server in
            for batch in 0..<20 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<100 {
                        group.addTask {
                            let peer = try await server.peer("churn-\(batch)-\(number)")
                            if number.isMultiple(of: 2) { peer.connection.abort() } else { await peer.close() }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            let health = try await HTTPTests.get("/health", server)
            #expect(health.json["connections"]?["total"] == 2000)
        }
    }

    @Test(
        "half a handshake is closed when its time is over, and a bad one is answered",
        arguments: [
            (
                "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                "HTTP/1.1 426"
            ),
            (
                "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n",
                "HTTP/1.1 400"
            ),
            (
                "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
                "HTTP/1.1 400"
            ),
            ("GET /" + String(repeating: "x", count: 20_000), "HTTP/1.1 431"),
            ("GET / HTTP/1.1\r\nHost: h\r\nUpgrade", ""),
            ("\u{1}\u{2}\u{3}\r\n\r\n", "HTTP/1.1 400"),
        ]
    )
    func handshakes(request: String, answer: String) async throws {
        try await withServer {
            if answer.isEmpty { $0.limits.handshakeTimeout = .milliseconds(200) }
        } _: { server in
            let socket = try await RawSocket(port: server.port)
            // On a busy machine the time is over before the first byte left; the end is the same.
            try? await socket.send(Array(request.utf8))
            let received = String(decoding: await socket.received(), as: UTF8.self)
            #expect(received.hasPrefix(answer))
            #expect(answer.isEmpty == received.isEmpty)
        }
    }
}
