import Kernel
import KernelTesting
import SignalingTesting
import Testing
import Transport

@testable import Signaling

@Suite("Connections of the signaling client that may be dead", .timeLimit(.minutes(5)))
struct SignalClientDoubtTests: SignalClientScene {
    let fixture: SignalClientFixture

    init() throws { fixture = try SignalClientFixture() }

    /// A registered client whose connection takes what is sent and answers no ping.
    private func slowClient() async throws -> (WebSocketSignalClient, InMemoryWebSocket) {
        let (client, socket, _) = try await registered()
        socket.stopAnsweringPings()
        socket.acknowledge(after: .milliseconds(10))
        await clock.sleeper(for: .seconds(2))
        return (client, socket)
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
        let (client, socket) = try await slowClient()
        client.checkConnection()
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .seconds(1))
        await clock.sleeper(for: .seconds(9))
        #expect(socket.closure == nil)
        clock.advance(by: .seconds(9))
        await wait(client) { $0.presence == nil }
        await client.disconnect()
    }

    @Test("a connection in doubt whose system only sends again is given up after a second, whatever comes over it")
    func stuck() async throws {
        let (client, socket) = try await slowClient()
        let next = self.socket()
        socket.retransmit(2)
        client.checkConnection()
        await clock.sleeper(for: .seconds(1))
        clock.advance(by: .milliseconds(500))
        var events = client.messages().makeAsyncIterator()
        socket.deliver(text: #"{"type":"message","from":"you","payload":{}}"#)
        _ = await events.next()
        clock.advance(by: .milliseconds(500))
        var sent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        #expect(socket.closure != nil)
        await client.disconnect()
    }

    @Test("a slow connection is given up a second after its computer was reached another way")
    func overtaken() async throws {
        let (client, socket) = try await slowClient()
        let next = self.socket()
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
        let (client, _) = try await slowClient()
        let next = self.socket()
        client.checkConnection()
        await clock.sleeper(for: .seconds(1))
        client.overtake()
        clock.advance(by: .seconds(1))
        var sent = next.sent.makeAsyncIterator()
        #expect(try await nextText(&sent)["type"] == "register")
        await client.disconnect()
    }

    @Test(
        "a connection that was not heard since the machine slept is given up after a second, though its other end takes what is sent"
    )
    func slowAfterSleep() async throws {
        let (client, socket) = try await slowClient()
        let next = self.socket()
        clock.machineSlept(.seconds(20))
        try await expectReplaced(socket, by: next, of: client)
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
}
