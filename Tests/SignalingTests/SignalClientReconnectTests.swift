import Foundation
import Kernel
import KernelTesting
import SignalingTesting
import Synchronization
import Testing
import Transport

@testable import Signaling

@Suite("The signaling client after a lost connection", .timeLimit(.minutes(5)))
struct SignalClientReconnectTests: SignalClientScene {
    let fixture: SignalClientFixture

    init() throws { fixture = try SignalClientFixture() }

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

    @Test("a client whose key the server refused says so, and asks again after five minutes and when it is resumed")
    func refused() async throws {
        let (client, socket, _) = try await registered()
        socket.lose()
        await clock.sleeper(for: .milliseconds(500))
        for pause in [Duration.milliseconds(500), .seconds(300)] {
            let next = self.socket()
            clock.advance(by: pause)
            var sent = next.sent.makeAsyncIterator()
            #expect(try await nextText(&sent)["type"] == "register")
            next.deliver(text: #"{"type":"error","error":"No","code":"key-mismatch"}"#)
            await wait(client) { $0 == .refused(.keyMismatch) }
            await clock.sleeper(for: .seconds(300))
            #expect(client.problem?.reason == "\(SignalError.keyMismatch)")
        }
        #expect(dialer.dialled.count == 3)
        let last = self.socket()
        client.resume()
        var sent = last.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        last.deliver(text: #"{"type":"registered","peerId":"me"}"#)
        await wait(client) { $0.presence?.id == "me" }
        #expect(client.problem == nil)
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
