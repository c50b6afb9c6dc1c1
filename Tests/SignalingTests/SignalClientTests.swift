import Foundation
import Kernel
import KernelTesting
import Logging
import Sealing
import SignalingTesting
import Synchronization
import Testing
import Transport

@testable import Signaling

@Suite("The signaling client", .timeLimit(.minutes(5)))
struct SignalClientTests {
    private let clock = ManualClock()
    private let dialer = PreparedDialer()
    private let relay: URL
    private let device = SignalDevice(category: .mobile)

    init() throws {
        relay = try #require(URL(string: "wss://relay.example"))
    }

    private func client(
        identity: Identity? = nil,
        configure: (inout SignalClientConfiguration) -> Void = { _ in }
    ) -> WebSocketSignalClient {
        var configuration = SignalClientConfiguration()
        configuration.backoff = Backoff(steps: Backoff.signaling.steps, jitter: 0)
        configure(&configuration)
        return WebSocketSignalClient(
            identity: identity,
            configuration: configuration,
            time: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            dial: { [dialer] in try dialer.dial($0) }
        )
    }

    private func socket() -> InMemoryWebSocket {
        let socket = InMemoryWebSocket()
        dialer.prepare(socket)
        return socket
    }

    /// The next frame that the client sent, other than pings.
    private func nextText(_ sent: inout AsyncStream<InMemoryWebSocket.Sent>.Iterator) async throws -> JSONValue {
        while let frame = await sent.next() {
            guard case .text(let text) = frame else { continue }
            let json = try JSONValue(parsing: Array(text.utf8))
            if json["type"] != "ping" { return json }
        }
        throw WebSocketError.closed
    }

    private func wait(
        _ client: WebSocketSignalClient,
        until isReached: @escaping @Sendable (SignalClientState) -> Bool
    ) async {
        for await state in client.states() where isReached(state) { return }
    }

    /// A client that is registered as `me`, and its socket.
    private func registered(
        _ answer: String = #"{"type":"registered","peerId":"me"}"#
    ) async throws -> (WebSocketSignalClient, InMemoryWebSocket, AsyncStream<InMemoryWebSocket.Sent>.Iterator) {
        let client = client()
        let socket = socket()
        try await client.connect(to: relay)
        async let registration: Void = client.register(as: "me", device: device)
        var sent = socket.sent.makeAsyncIterator()
        _ = try await nextText(&sent)
        socket.deliver(text: answer)
        try await registration
        return (client, socket, sent)
    }

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

    @Test("a lost connection is made again after 0.5, 1, 2, 5, then 10 seconds, and registered again")
    func backoff() async throws {
        let (client, socket, _) = try await registered()
        var waits: [Duration] = []
        socket.lose()
        for step in 0..<6 {
            let waiting = Mutex<Duration?>(nil)
            await wait(client) { state in
                guard case .waiting(let wait) = state else { return false }
                waiting.withLock { $0 = wait }
                return true
            }
            let duration = try #require(waiting.withLock { $0 })
            waits.append(duration)
            await clock.sleeper(for: duration)
            if step == 5 {
                let next = self.socket()
                clock.advance(by: duration)
                var sent = next.sent.makeAsyncIterator()
                #expect(try await nextText(&sent)["type"] == "register")
                next.deliver(text: #"{"type":"registered","peerId":"me"}"#)
            } else {
                async let connecting: Void = wait(client) { $0 == .connecting }
                clock.advance(by: duration)
                await connecting
            }
        }
        #expect(waits == [.milliseconds(500), .seconds(1), .seconds(2), .seconds(5), .seconds(10), .seconds(10)])
        await wait(client) { $0.presence?.id == "me" }
        #expect(dialer.dialled.count == 7)
        await client.disconnect()
    }

    @Test("a client that was replaced proves its id again after a minute, for the other may be a thief")
    func comesBack() async throws {
        let (client, socket, _) = try await registered()
        let next = self.socket()
        socket.closeFromServer(.replaced)
        await wait(client) { $0 == .replaced }
        await clock.sleeper(for: .seconds(60))
        #expect(dialer.dialled.count == 1)
        clock.advance(by: .seconds(60))
        var sent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        next.deliver(text: #"{"type":"registered","peerId":"me"}"#)
        await wait(client) { $0.presence?.id == "me" }
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

    @Test("after a registration that held, each outage begins with the shortest wait")
    func backoffAfterHolding() async throws {
        let (client, first, _) = try await registered()
        var socket = first
        for _ in 0..<4 {
            clock.advance(by: .milliseconds(600))
            let next = self.socket()
            socket.lose()
            await wait(client) { $0 == .waiting(retryIn: .milliseconds(500)) }
            await clock.sleeper(for: .milliseconds(500))
            clock.advance(by: .milliseconds(500))
            var sent = next.sent.makeAsyncIterator()
            #expect(try await nextText(&sent)["type"] == "register")
            next.deliver(text: #"{"type":"registered","peerId":"me"}"#)
            await wait(client) { $0.presence != nil }
            socket = next
        }
        await client.disconnect()
    }

    @Test("two devices with one id do not chase each other: whom the server sends away waits longer each time")
    func chase() async throws {
        let (client, first, _) = try await registered()
        var socket = first
        for wait in [Duration.milliseconds(500), .seconds(1), .seconds(2)] {
            clock.advance(by: .seconds(3))
            let next = self.socket()
            socket.closeFromServer(nil)
            await self.wait(client) { $0 == .waiting(retryIn: wait) }
            await clock.sleeper(for: wait)
            clock.advance(by: wait)
            var sent = next.sent.makeAsyncIterator()
            #expect(try await nextText(&sent)["type"] == "register")
            next.deliver(text: #"{"type":"registered","peerId":"me"}"#)
            await self.wait(client) { $0.presence != nil }
            socket = next
        }
        await client.disconnect()
    }

    @Test("a lost registration is looked for 2, 4 and 8 seconds after the connection was made")
    func earlyProbes() async throws {
        let (client, socket, _) = try await registered()
        var sent = socket.sent.makeAsyncIterator()
        for wait in [Duration.seconds(2), .seconds(2), .seconds(4)] {
            await clock.sleeper(for: wait)
            clock.advance(by: wait)
            #expect(try await nextText(&sent)["payload"] == ["type": "self-probe"])
        }
        await clock.sleeper(for: .seconds(20))
        await client.disconnect()
    }

    /// A connection in doubt is given up after a second, and the client registers over the next.
    private func expectReplaced(
        _ socket: InMemoryWebSocket,
        by next: InMemoryWebSocket,
        of client: WebSocketSignalClient
    ) async throws {
        client.checkConnection()
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
        var sent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        #expect(socket.closure != nil)
        await client.disconnect()
    }

    @Test("a connection in doubt that is dead is given up after a second and made again at once")
    func doubt() async throws {
        let (client, socket, _) = try await registered()
        let next = self.socket()
        socket.stopAnsweringPings()
        await clock.sleeper(for: .seconds(2))
        try await expectReplaced(socket, by: next, of: client)
    }

    @Test("a connection in doubt that only is slow has its ten seconds")
    func slow() async throws {
        let (client, socket, _) = try await registered()
        socket.stopAnsweringPings()
        socket.acknowledge(after: .milliseconds(10))
        await clock.sleeper(for: .seconds(2))
        client.checkConnection()
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.sleeper(for: .seconds(9))
        #expect(socket.closure == nil)
        clock.advance(by: .seconds(9))
        await wait(client) { $0.presence == nil }
        await client.disconnect()
    }

    @Test("a slow connection is given up a second after its computer was reached another way")
    func overtaken() async throws {
        let (client, socket, _) = try await registered()
        let next = self.socket()
        socket.stopAnsweringPings()
        socket.acknowledge(after: .milliseconds(10))
        await clock.sleeper(for: .seconds(2))
        client.checkConnection()
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.sleeper(for: .seconds(9))
        // So that no other sleep ends a second from now.
        clock.advance(by: .milliseconds(500))
        client.overtake()
        await clock.sleeper(for: .seconds(1))
        // That something comes does not show that anything arrives.
        var events = client.messages().makeAsyncIterator()
        socket.deliver(text: #"{"type":"message","from":"you","payload":{}}"#)
        _ = await events.next()
        clock.advance(by: .seconds(1))
        var sent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        #expect(socket.closure != nil)
        await client.disconnect()
    }

    @Test("a computer that is reached another way while a connection is asked leaves that no patience either")
    func overtakenWhileAsked() async throws {
        let (client, socket, _) = try await registered()
        let next = self.socket()
        socket.stopAnsweringPings()
        socket.acknowledge(after: .milliseconds(10))
        await clock.sleeper(for: .seconds(2))
        client.checkConnection()
        await clock.sleeper(for: .seconds(1))
        client.overtake()
        clock.advance(by: .seconds(1))
        var sent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        await client.disconnect()
    }

    @Test(
        "the next try at a local server comes sooner",
        arguments: [("ws://192.168.1.7:9001", 250), ("wss://hub.example", 1000)]
    )
    func localHurry(server: String, milliseconds: Int) async throws {
        let client = client { $0.backoff = Backoff(steps: [.seconds(10)], jitter: 0) }
        try await client.maintain(try #require(URL(string: server)), as: "me", device: device)
        await wait(client) { $0 == .waiting(retryIn: .seconds(10)) }
        await clock.sleeper(for: .seconds(10))
        client.hurry()
        await clock.sleeper(for: .milliseconds(milliseconds))
        await client.disconnect()
    }

    @Test(
        "a connection that was not heard since the machine slept is given up after a second, though its other end takes what is sent"
    )
    func slowAfterSleep() async throws {
        let (client, socket, _) = try await registered()
        let next = self.socket()
        socket.stopAnsweringPings()
        socket.acknowledge(after: .milliseconds(10))
        await clock.sleeper(for: .seconds(2))
        clock.machineSlept(.seconds(20))
        try await expectReplaced(socket, by: next, of: client)
    }

    @Test("a client that waits tries at once after a sleep of the machine, and soon when it is needed")
    func nudges() async throws {
        let client = client { $0.backoff = Backoff(steps: [.seconds(10)], jitter: 0) }
        try await client.maintain(relay, as: "me", device: device)
        await wait(client) { $0 == .waiting(retryIn: .seconds(10)) }
        await clock.sleeper(for: .seconds(10))
        client.hurry()
        await clock.sleeper(for: .seconds(1))
        async let second: Void = wait(client) { $0 == .connecting }
        clock.advance(by: .seconds(1))
        await second
        await wait(client) { $0 == .waiting(retryIn: .seconds(10)) }
        await clock.sleeper(for: .seconds(10))
        let socket = self.socket()
        client.resume()
        var sent = socket.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        await client.disconnect()
    }

    @Test("a try that was under way at the end of a sleep and fails is followed by the next at once")
    func resumedWhileTrying() async throws {
        let client = client { $0.backoff = Backoff(steps: [.seconds(10)], jitter: 0) }
        try await client.maintain(relay, as: "me", device: device)
        await wait(client) { $0 == .waiting(retryIn: .seconds(10)) }
        await clock.sleeper(for: .seconds(10))
        let socket = InMemoryWebSocket()
        dialer.onFailure { [clock, dialer] in
            clock.advance(by: .milliseconds(1))
            client.resume()
            dialer.prepare(socket)
        }
        clock.advance(by: .seconds(10))
        var sent = socket.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        await client.disconnect()
    }

    @Test("why a server is of no use is kept with the time of the first trouble, until it is reached again")
    func problem() async throws {
        let client = client()
        let began = clock.date
        try await client.maintain(relay, as: "me", device: device)
        await wait(client) { if case .waiting = $0 { true } else { false } }
        let problem = try #require(client.problem)
        #expect(problem.since == began)
        #expect(!problem.reason.isEmpty)
        await clock.sleeper(for: .milliseconds(500))
        let socket = self.socket()
        clock.advance(by: .milliseconds(500))
        var sent = socket.sent.makeAsyncIterator()
        _ = try await nextText(&sent)
        socket.deliver(text: #"{"type":"error","error":"No","code":"later"}"#)
        await wait(client) { if case .waiting = $0 { true } else { false } }
        #expect(client.problem == SignalProblem(reason: "\(SignalError.registrationRefused(text: "No"))", since: began))
        await clock.sleeper(for: .seconds(1))
        let next = self.socket()
        clock.advance(by: .seconds(1))
        var again = next.sent.makeAsyncIterator()
        _ = try await nextText(&again)
        next.deliver(text: #"{"type":"registered","peerId":"me"}"#)
        await wait(client) { $0.presence != nil }
        #expect(client.problem == nil)
        await client.disconnect()
    }

    @Test("a client that was replaced says so, and its owner need not wait for it to come back")
    func replaced() async throws {
        let (client, socket, _) = try await registered()
        socket.closeFromServer(.replaced)
        await wait(client) { $0 == .replaced }
        #expect(dialer.dialled.count == 1)
        // Coming back is the owner's decision.
        let next = self.socket()
        try await client.connect(to: relay)
        var sent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["peerId"] == "me")
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

    @Test("pings go out at least every 25 seconds, in both forms")
    func keepalive() async throws {
        let (client, socket, _) = try await registered(#"{"type":"registered","peerId":"me","e2e":{"v":1}}"#)
        var sent = socket.sent.makeAsyncIterator()
        await clock.sleeper(for: .seconds(2))
        clock.advance(by: .seconds(2))
        for _ in 0..<3 {
            await clock.sleeper(for: .seconds(20))
            clock.advance(by: .seconds(20))
            guard case .text(let text) = await sent.next() else {
                Issue.record("no ping")
                return
            }
            #expect(try JSONValue(parsing: Array(text.utf8))["type"] == "ping")
            #expect(await sent.next() == .ping)
        }
        await client.disconnect()
    }

    @Test("a connection that only looks alive is given up and made again")
    func halfOpen() async throws {
        let (client, socket, _) = try await registered(#"{"type":"registered","peerId":"me","e2e":{"v":1}}"#)
        socket.stopAnsweringPings()
        await clock.sleeper(for: .seconds(2))
        clock.advance(by: .seconds(2))
        await clock.sleeper(for: .seconds(20))
        clock.advance(by: .seconds(20))
        await clock.sleeper(for: .seconds(10))
        clock.advance(by: .seconds(10))
        await wait(client) { if case .waiting = $0 { true } else { false } }
        #expect(socket.closure != nil)
        await client.disconnect()
    }

    @Test("a relay that forgot us, though the socket is up, is told again who we are")
    func forgotten() async throws {
        let (client, socket, _) = try await registered()
        var sent = socket.sent.makeAsyncIterator()
        await clock.sleeper(for: .seconds(2))
        clock.advance(by: .seconds(2))
        let probe = try await nextText(&sent)
        #expect(probe == ["type": "message", "to": "me", "payload": ["type": "self-probe"]])
        var events = client.messages().makeAsyncIterator()
        socket.deliver(text: #"{"type":"peer-offline","peerId":"me","messageType":"message"}"#)
        #expect(try await nextText(&sent)["type"] == "register")
        // Neither the probe nor the notice is anybody's business.
        socket.deliver(text: #"{"type":"message","from":"me","payload":{"type":"self-probe"}}"#)
        socket.deliver(text: #"{"type":"message","from":"a","payload":"x"}"#)
        #expect(await events.next() == .message(ReceivedMessage(from: "a", payload: "x")))
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

    @Test("another server needs a reset, an unsafe one is never dialled")
    func urls() async throws {
        let (client, _, _) = try await registered()
        let other = try #require(URL(string: "wss://other.example"))
        await #expect(throws: SignalError.alreadyConnected(to: "wss://relay.example")) {
            try await client.connect(to: other)
        }
        await client.reset()
        let socket = socket()
        try await client.connect(to: other)
        async let registration: Void = client.register(as: "somebody", device: device)
        var sent = socket.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["peerId"] == "somebody")
        socket.deliver(text: #"{"type":"registered","peerId":"somebody"}"#)
        try await registration
        await client.reset()
        let plain = try #require(URL(string: "ws://example.com"))
        await #expect(throws: SignalError.insecureURL(host: "example.com")) { try await client.connect(to: plain) }
        #expect(dialer.dialled == [relay, other])
    }

    @Test("a first connection that fails is reported and not tried again; a maintained one is")
    func firstFailure() async throws {
        let client = client()
        await #expect(throws: WebSocketError.self) { try await client.connect(to: relay) }
        #expect(client.state == .disconnected)
        try await client.maintain(relay, as: "me", device: device)
        await wait(client) { if case .waiting = $0 { true } else { false } }
        let socket = socket()
        await clock.sleeper(for: .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        var sent = socket.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["peerId"] == "me")
        socket.deliver(text: #"{"type":"registered","peerId":"me"}"#)
        await wait(client) { $0.presence != nil }
        await client.disconnect()
    }
}
