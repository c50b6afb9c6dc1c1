import Foundation
import Kernel
import KernelTesting
import Logging
import Sealing
import SignalingTesting
import Testing
import Transport

@testable import Signaling

/// What a client under test is made with.
struct SignalClientFixture: Sendable {
    let clock = ManualClock()
    let dialer = PreparedDialer()
    let relay: URL
    let device = SignalDevice(category: .mobile)

    init() throws { relay = try #require(URL(string: "wss://relay.example")) }
}

/// A suite that tests the signaling client over sockets in memory.
protocol SignalClientScene: Sendable {
    var fixture: SignalClientFixture { get }
}

extension SignalClientScene {
    var clock: ManualClock { fixture.clock }
    var dialer: PreparedDialer { fixture.dialer }
    var relay: URL { fixture.relay }
    var device: SignalDevice { fixture.device }

    func client(
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

    func socket() -> InMemoryWebSocket {
        let socket = InMemoryWebSocket()
        dialer.prepare(socket)
        return socket
    }

    /// The next frame that the client sent, other than pings.
    func nextText(_ sent: inout AsyncStream<InMemoryWebSocket.Sent>.Iterator) async throws -> JSONValue {
        while let frame = await sent.next() {
            guard case .text(let text) = frame else { continue }
            let json = try JSONValue(parsing: Array(text.utf8))
            if json["type"] != "ping" { return json }
        }
        throw WebSocketError.closed
    }

    func wait(
        _ client: WebSocketSignalClient,
        until isReached: @escaping @Sendable (SignalClientState) -> Bool
    ) async {
        for await state in client.states() where isReached(state) { return }
    }

    /// A client that is registered as `me`, and its socket.
    func registered(
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
}
