import Foundation
import Kernel
import KernelTesting
import Logging
import Sealing
import SignalingTesting
import Testing
import Transport

@testable import Signaling

/// Conversations with the relay that the documented programs have deployed, frame by frame. It is a third dialect: fewer frames than
/// the two servers of Part 1, and other ends of a connection. Source: `docs/protocol.md` 1.1, "The deployed relay".
@Suite("The dialect of the deployed relay", .timeLimit(.minutes(4)))
struct DeployedRelayTests {
    private enum Line: Sendable {
        /// What the client must send next. Times are 0 here.
        case client(JSONValue)
        /// A WebSocket ping of the client, which the relay answers and does not count as life.
        case ping
        case relay(JSONValue)
        case seconds(Int)
    }

    private let clock = ManualClock()
    private let dialer = PreparedDialer()

    private func client(identity: Identity) -> WebSocketSignalClient {
        var configuration = SignalClientConfiguration()
        configuration.backoff = Backoff(steps: Backoff.signaling.steps, jitter: 0)
        return WebSocketSignalClient(
            identity: identity,
            configuration: configuration,
            time: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            dial: { [dialer] in try dialer.dial($0) }
        )
    }

    private func replay(_ lines: [Line], _ socket: InMemoryWebSocket) async throws {
        var sent = socket.sent.makeAsyncIterator()
        for line in lines {
            switch line {
            case .client(let expected):
                guard case .text(let text)? = await sent.next() else {
                    Issue.record("expected \(expected)")
                    return
                }
                var frame = try JSONValue(parsing: Array(text.utf8))
                if frame["timestamp"] != nil { frame = frame.adding("timestamp", 0) }
                #expect(frame == expected)
            case .ping:
                let next = await sent.next()
                #expect(next == .ping)
            case .relay(let frame): socket.deliver(text: frame.canonicalText)
            case .seconds(let seconds):
                await clock.sleeper(for: .seconds(seconds))
                clock.advance(by: .seconds(seconds))
            }
        }
    }

    @Test(
        "no time, no proof, no lists, no notice of who is away: the client registers, is kept alive, and hears what was kept"
    )
    func conversation() async throws {
        let identity = Identity()
        let client = client(identity: identity)
        let socket = InMemoryWebSocket()
        dialer.prepare(socket)
        let relay = try #require(URL(string: "wss://relay.example"))
        var events = client.messages().makeAsyncIterator()
        try await client.connect(to: relay)
        async let registration: Void = client.register(as: "me", device: SignalDevice(category: .mobile))
        let key = JSONValue.string(identity.did.text)
        try await replay(
            [
                .client([
                    "type": "register", "peerId": "me", "deviceType": "mobile", "deviceInfo": [:],
                    "e2e": ["v": 1, "key": key],
                ]),
                // What it does not know it does not answer: no challenge comes.
                .relay(["type": "registered", "peerId": "me"]),
                // Kept while we were away, and not marked so.
                .relay(["type": "message", "from": "pc-77", "payload": "kept"]),
            ],
            socket
        )
        try await registration
        #expect(client.state == .registered(SignalPresence(id: "me")))
        #expect(await events.next() == .message(ReceivedMessage(from: "pc-77", payload: "kept")))

        let probe: JSONValue = ["type": "message", "to": "me", "payload": ["type": "self-probe"]]
        let echo: JSONValue = ["type": "message", "from": "me", "payload": ["type": "self-probe"]]
        try await client.send(SignalMessage(to: "away", payload: "nobody says that it is not there"))
        try await replay(
            [
                .client(["type": "message", "to": "away", "payload": "nobody says that it is not there"]),
                .seconds(2), .client(probe), .relay(echo), .seconds(2), .client(probe), .relay(echo),
                .seconds(4), .client(probe), .relay(echo),
            ],
            socket
        )
        // Only the program's own ping counts as life there, and 90 s without one are the end.
        for _ in 0..<5 {
            try await replay(
                [
                    .seconds(20), .client(probe), .relay(echo), .client(["type": "ping", "timestamp": 0]), .ping,
                    .relay(["type": "pong"]),
                ],
                socket
            )
        }
        // The sender there is whoever the sender says it is; who somebody is, sessions prove.
        socket.deliver(text: #"{"type":"message","from":"pc-77","to":"me","payload":"later"}"#)
        #expect(await events.next() == .message(ReceivedMessage(from: "pc-77", payload: "later")))
        await client.disconnect()
    }

    @Test(
        "a socket that it replaces ends with 1000, a silent one with 1001: both are made anew, and register again",
        arguments: [WebSocketCloseCode.normal, .goingAway]
    )
    func replaced(code: WebSocketCloseCode) async throws {
        let client = client(identity: Identity())
        let (first, second) = (InMemoryWebSocket(), InMemoryWebSocket())
        dialer.prepare(first)
        let relay = try #require(URL(string: "wss://relay.example"))
        try await client.connect(to: relay)
        async let registration: Void = client.register(as: "me", device: SignalDevice(category: .mobile))
        var sent = first.sent.makeAsyncIterator()
        _ = await sent.next()
        first.deliver(text: #"{"type":"registered","peerId":"me"}"#)
        try await registration
        dialer.prepare(second)
        first.closeFromServer(code)
        for await state in client.states() {
            if case .waiting = state { break }
        }
        await clock.sleeper(for: .milliseconds(500))
        clock.advance(by: .milliseconds(500))
        var again = second.sent.makeAsyncIterator()
        guard case .text(let text)? = await again.next() else {
            Issue.record("nothing was sent")
            return
        }
        #expect(try JSONValue(parsing: Array(text.utf8))["peerId"] == "me")
        second.deliver(text: #"{"type":"registered","peerId":"me"}"#)
        for await state in client.states() where state.presence != nil { break }
        await client.disconnect()
    }
}
