import Foundation
import Kernel
import KernelTesting
import Sealing
import SignalingTesting
import Testing
import Transport

@testable import Signaling

@Suite("The signaling client", .timeLimit(.minutes(5)))
struct SignalClientTests: SignalClientScene {
    let fixture: SignalClientFixture

    init() throws { fixture = try SignalClientFixture() }

    @Test("registering plainly sends the documented frame and returns when the server confirms")
    func plainRegistration() async throws {
        let client = client()
        let socket = socket()
        try await client.connect(to: relay)
        #expect(client.state == .connected)
        async let registration: Void = client.register(as: "me", device: device)
        var sent = socket.sent.makeAsyncIterator()
        #expect(
            try await nextText(&sent) == [
                "type": "register", "peerId": "me", "deviceType": "mobile", "deviceInfo": [:],
            ]
        )
        socket.deliver(text: #"{"type":"registered","peerId":"me","serverTime":1}"#)
        try await registration
        #expect(client.state == .registered(SignalPresence(id: "me")))
        // A second register would make some relays close the socket.
        try await client.register(as: "me", device: device)
        await client.disconnect()
        #expect(client.state == .disconnected)
        #expect(await sent.next() == nil)
    }

    @Test("where a server's name led is known while the connection stands, and not any more afterwards")
    func serverAddress() async throws {
        let client = client()
        #expect(client.serverAddress == nil)
        dialer.prepare(InMemoryWebSocket(remoteAddress: "192.0.2.7"))
        try await client.connect(to: relay)
        #expect(client.serverAddress == "192.0.2.7")
        await client.disconnect()
        #expect(client.serverAddress == nil)
    }

    @Test("a challenge is answered with a proof for this id, nonce and host")
    func proof() async throws {
        let identity = Identity()
        let client = client(identity: identity)
        let socket = socket()
        try await client.connect(to: relay)
        let id = identity.did.text
        async let registration: Void = client.register(as: id, device: device)
        var sent = socket.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["e2e"] == ["v": 1, "key": .string(id)])
        let nonce = [UInt8](repeating: 7, count: 32)
        socket.deliver(text: #"{"type":"challenge","peerId":"\#(id)","nonce":"\#(Base64URL.encode(nonce))"}"#)
        let proof = try await nextText(&sent)
        #expect(proof["e2e"]?["nonce"]?.stringValue == Base64URL.encode(nonce))
        let signature = try #require(proof["e2e"]?["sig"]?.stringValue.flatMap(Base64URL.decode))
        try RegistrationProof.verify(signature, key: identity.did, peerID: id, nonce: nonce, host: "relay.example")
        socket.deliver(text: #"{"type":"registered","peerId":"\#(id)","e2e":{"v":1,"proven":true,"binary":true}}"#)
        try await registration
        #expect(
            client.state == .registered(SignalPresence(id: id, isProven: true, hasBinary: true, isTandem: true))
        )
        await client.disconnect()
    }

    @Test(
        "a refused registration says why",
        arguments: [
            ("proof-failed", SignalError.proofFailed), ("proof-required", .proofRequired),
            ("key-mismatch", .keyMismatch), ("later", .registrationRefused(text: "No")),
        ]
    )
    func refusal(code: String, error: SignalError) async throws {
        let client = client()
        let socket = socket()
        try await client.connect(to: relay)
        let registration = Task { try await client.register(as: "me", device: device) }
        var sent = socket.sent.makeAsyncIterator()
        _ = try await nextText(&sent)
        socket.deliver(text: #"{"type":"error","error":"No","code":"\#(code)"}"#)
        await #expect(throws: error) { try await registration.value }
        #expect(client.state == .connected)
        await client.disconnect()
    }

    @Test("a server that does not confirm ends in timedOut")
    func registrationTimeout() async throws {
        let client = client()
        _ = socket()
        try await client.connect(to: relay)
        let registration = Task { try await client.register(as: "me", device: device) }
        await clock.sleeper(for: .seconds(10))
        clock.advance(by: .seconds(10))
        await #expect(throws: SignalError.timedOut(after: .seconds(10))) { try await registration.value }
        await client.disconnect()
    }

    @Test("disconnecting ends a registration that waits")
    func disconnectWhileRegistering() async throws {
        let client = client()
        let socket = socket()
        try await client.connect(to: relay)
        let registration = Task { try await client.register(as: "me", device: device) }
        var sent = socket.sent.makeAsyncIterator()
        _ = try await nextText(&sent)
        await client.disconnect()
        await #expect(throws: SignalError.notConnected) { try await registration.value }
    }

    @Test("what was sent to others never becomes the own id")
    func ownIdentity() async throws {
        var (client, socket, sent) = try await registered()
        try await client.send(SignalMessage(to: "other", kind: .offer, payload: ["offer": ["sdp": "v=0"]]))
        #expect(try await nextText(&sent)["to"] == "other")
        socket.deliver(text: #"{"type":"registered","peerId":"other"}"#)
        await #expect(throws: SignalError.alreadyRegistered(as: "me")) {
            try await client.register(as: "other", device: device)
        }
        let next = self.socket()
        socket.lose()
        await wait(client) { if case .waiting = $0 { true } else { false } }
        await clock.sleeper(for: .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        var resent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&resent)["peerId"] == "me")
        await client.disconnect()
    }

    @Test("a challenge of a server that checks the TLS connection is answered with a proof bound to it")
    func boundProof() async throws {
        let identity = Identity()
        let client = client(identity: identity)
        let socket = InMemoryWebSocket(host: "relay.example", certificateHash: [UInt8](repeating: 9, count: 32))
        dialer.prepare(socket)
        try await client.connect(to: relay)
        async let registration: Void = client.register(as: "me", device: device)
        var sent = socket.sent.makeAsyncIterator()
        _ = try await nextText(&sent)
        let nonce = [UInt8](repeating: 7, count: 32)
        socket.deliver(
            text:
                #"{"type":"challenge","peerId":"me","nonce":"\#(Base64URL.encode(nonce))","cb":["other","tls-server-end-point"]}"#
        )
        let proof = try await nextText(&sent)
        #expect(proof["e2e"]?["cbType"] == "tls-server-end-point")
        #expect(proof["e2e"]?["cb"]?.stringValue.flatMap(Base64URL.decode) == [UInt8](repeating: 9, count: 32))
        try RegistrationProof.verify(
            try #require(proof["e2e"]?["sig"]?.stringValue.flatMap(Base64URL.decode)),
            key: identity.did,
            peerID: "me",
            nonce: nonce,
            host: "relay.example",
            binding: ChannelBinding(certificateHash: [UInt8](repeating: 9, count: 32))
        )
        socket.deliver(text: #"{"type":"registered","peerId":"me"}"#)
        try await registration
        await client.disconnect()
    }

    @Test("everyone who listens gets every message, stored ones unwrapped")
    func multicast() async throws {
        let (client, socket, _) = try await registered()
        var first = client.messages().makeAsyncIterator()
        var second = client.messages().makeAsyncIterator()
        socket.deliver(text: #"{"type":"message","from":"a","payload":"one"}"#)
        socket.deliver(text: "not JSON")
        socket.deliver(binary: Array(#"{"type":"message","from":"a","payload":"two"}"#.utf8))
        socket.deliver(
            text:
                #"{"type":"offline-message","originalMessage":{"type":"message","from":"a","payload":"three"},"storedAt":1}"#
        )
        socket.deliver(text: #"{"type":"peer-offline","peerId":"pc"}"#)
        socket.deliver(text: #"{"type":"error","error":"Unknown message type: x"}"#)
        let expected: [SignalEvent] = [
            .message(ReceivedMessage(from: "a", payload: "one")),
            .message(ReceivedMessage(from: "a", payload: "two")),
            .message(ReceivedMessage(from: "a", payload: "three", storage: .init(storedAt: 1, deliveredAt: nil))),
            .peerOffline(PeerOffline(peerID: "pc")),
        ]
        for event in expected {
            #expect(await first.next() == event)
            #expect(await second.next() == event)
        }
        guard case .failure(let failure) = await first.next() else {
            Issue.record("no failure")
            return
        }
        #expect(failure.text == "Unknown message type: x")
        await client.disconnect()
    }

    @Test("frames of sessions and of moves are reported with their kind, and those of later versions dropped")
    func binaryKinds() async throws {
        let (client, socket, _) = try await registered(
            #"{"type":"registered","peerId":"me","e2e":{"v":1,"proven":true,"binary":true}}"#
        )
        let (frames, frame) = AsyncStream.makeStream(of: SignalBinaryFrame.self)
        let stop = client.observe { if case .binary("c", let came) = $0 { frame.yield(came) } }
        socket.deliver(text: #"{"type":"route","from":"c","route":7}"#)
        for kind in (1...8) as ClosedRange<UInt8> {
            let sent = SignalBinaryFrame(kind: kind, flags: 3, sequence: 9, ciphertext: [kind])
            socket.deliver(binary: sent.header(route: 7) + sent.ciphertext)
        }
        let last = SignalBinaryFrame(flags: 0, sequence: 10, ciphertext: [0])
        socket.deliver(binary: last.header(route: 7) + last.ciphertext)
        var came: [UInt8] = []
        for await frame in frames {
            came.append(frame.kind)
            if frame.sequence == 10 { break }
        }
        stop()
        #expect(came == [SignalBinaryFrame.recordKind, SignalBinaryFrame.moveKind, SignalBinaryFrame.recordKind])
        await client.disconnect()
    }

    @Test("binary frames get routes, announced once, and refused ones go as JSON from then on")
    func routes() async throws {
        let answer = #"{"type":"registered","peerId":"me","e2e":{"v":1,"proven":true,"binary":true}}"#
        let (client, socket, _) = try await registered(answer)
        var sent = socket.sent.makeAsyncIterator()
        let frame = SignalBinaryFrame(flags: 0, sequence: 1, ciphertext: [1, 2, 3])
        try await client.sendBinary(frame, to: "a")
        try await client.sendBinary(frame, to: "a")
        try await client.sendBinary(frame, to: "b")
        #expect(await sent.next() == .text(#"{"route":1,"to":"a","type":"route"}"#))
        #expect(await sent.next() == .binary(frame.header(route: 1) + frame.ciphertext))
        #expect(await sent.next() == .binary(frame.header(route: 1) + frame.ciphertext))
        #expect(await sent.next() == .text(#"{"route":2,"to":"b","type":"route"}"#))
        #expect(await sent.next() == .binary(frame.header(route: 2) + frame.ciphertext))
        let (observed, post) = AsyncStream.makeStream(of: SignalEvent.self)
        let stopObserving = client.observe { post.yield($0) }
        defer { stopObserving() }
        var events = observed.makeAsyncIterator()
        socket.deliver(binary: frame.header(route: 77) + frame.ciphertext)
        socket.deliver(text: #"{"type":"route","from":"c","route":77}"#)
        socket.deliver(binary: frame.header(route: 77) + frame.ciphertext)
        #expect(await events.next() == .binary(from: "c", frame))
        socket.deliver(text: #"{"type":"route","to":"a","route":1,"refused":true}"#)
        #expect(await events.next() == .binaryRefused(by: "a"))
        await #expect(throws: SignalError.binaryUnavailable) { try await client.sendBinary(frame, to: "a") }
        try await client.sendBinary(frame, to: "b")
        await client.disconnect()
    }

    @Test("nothing is sent without a registration, and nothing above the limit")
    func sendErrors() async throws {
        let client = client()
        let message = SignalMessage(to: "a", payload: "x")
        await #expect(throws: SignalError.notConnected) { try await client.send(message) }
        _ = socket()
        try await client.connect(to: relay)
        await #expect(throws: SignalError.notRegistered) { try await client.send(message) }
        await client.disconnect()
        let (registered, _, _) = try await registered()
        let long = SignalMessage(to: "a", payload: .string(String(repeating: "x", count: 1 << 20)))
        await #expect(throws: SignalError.self) { try await registered.send(long) }
        await registered.disconnect()
    }
}
