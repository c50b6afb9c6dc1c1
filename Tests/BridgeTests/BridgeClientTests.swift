import Control
import Foundation
import Kernel
import KernelTesting
import NIOCore
import NIOPosix
import Synchronization
import TandemDesktop
import Testing
import Transport

@testable import Bridge
@testable import BridgeHost

@Suite("The bridge's client", .timeLimit(.minutes(2)))
struct BridgeClientTests {
    private func configuration(_ scene: BridgeScene, _ token: String, secure: Bool = true) throws
        -> MobileWebSocketClient.Configuration
    {
        let url = try #require(URL(string: "\(secure ? "wss" : "ws")://127.0.0.1:\(scene.port)"))
        var configuration = MobileWebSocketClient.Configuration(
            addresses: [url],
            proof: .token(token),
            keyHash: secure ? scene.bridge.keyHash : nil
        )
        configuration.allowsPlain = !secure
        return configuration
    }

    /// The first event that is what is looked for.
    private func first<Value>(
        of events: AsyncStream<MobileWebSocketClient.Event>,
        _ wanted: (MobileWebSocketClient.Event) -> Value?
    ) async -> Value? {
        for await event in events {
            if let value = wanted(event) { return value }
        }
        return nil
    }

    private func ack(_ event: MobileWebSocketClient.Event) -> BridgeHelloAck? {
        if case .connected(let ack) = event { ack } else { nil }
    }

    private func ending(_ event: MobileWebSocketClient.Event) -> (BridgeClientError, Duration?)? {
        if case .disconnected(let error, let wait) = event { (error, wait) } else { nil }
    }

    @Test("it connects to the pinned key, asks, is told, and says good-bye", arguments: [true, false])
    func walk(secure: Bool) async throws {
        try await BridgeScene.run { scene in
            let (id, token) = try await scene.token(rights: ["bell.read", "bell.ring"])
            let client = MobileWebSocketClient(try configuration(scene, token, secure: secure))
            let events = client.events()
            await #expect(throws: BridgeClientError.notConnected) { try await client.request("bell.list") }
            await client.start()
            let ack = try #require(await first(of: events, ack))
            #expect(
                ack
                    == BridgeHelloAck(
                        token: "",
                        details: .init(deviceID: id, serverName: "studio-pc", protocolVersion: 2)
                    )
            )
            let answer = try await client.request("bell.list", ["limit": 3])
            #expect(answer["asked"] == ["limit": 3])
            let refused = await #expect(throws: BridgeFailure.self) { try await client.request("garden.open") }
            #expect(refused?.code == -32010)
            let rung = client.events()
            _ = try await client.request("bell.ring")
            let told = await first(of: rung) { if case .message(let type, let data) = $0 { (type, data) } else { nil } }
            #expect(told?.0 == "bell.rang" && told?.1 == ["by": .string("bridge:\(id)")])
            let pongs = client.events()
            try await client.ping()
            #expect(await first(of: pongs) { $0 == .pong ? true : nil } == true)
            await client.stop()
            while !Task.isCancelled, try await scene.status().sockets > 0 { await Task.yield() }
        }
    }

    @Test("a token goes to no other key, in the clear to no stranger, and never around a pin")
    func pinned() async throws {
        try await BridgeScene.run { scene in
            var configuration = try configuration(scene, try await scene.token().text)
            configuration.keyHash = [UInt8](repeating: 1, count: 32)
            let client = MobileWebSocketClient(configuration)
            let events = client.events()
            await client.start()
            let ended = await first(of: events, ending)
            guard case .unreachable(.untrusted)? = ended?.0 else {
                Issue.record("\(String(describing: ended))")
                return
            }
            await client.stop()
            #expect(try await scene.status().refused == [:])
            #expect(try await scene.tokens().first?.lastSeenAt == nil)
        }
        var rules = MobileWebSocketClient.Configuration(addresses: [], proof: .token("T"))
        func isSafe(_ text: String) -> Bool {
            URL(string: text).map { MobileWebSocketClient.isSafe($0, rules) } ?? false
        }
        for text in ["ws://192.168.1.2:9099", "wss://192.168.1.2:9099", "https://a", "ws://127.0.0.1"] {
            #expect(!isSafe(text), "\(text)")
        }
        rules.allowsPlain = true
        #expect(isSafe("ws://192.168.1.2:9099") && isSafe("ws://100.100.1.2") && isSafe("ws://localhost:9099"))
        for text in ["ws://203.0.113.7", "ws://studio-pc.local:9099", "ws://example.org", "wss://192.168.1.2"] {
            #expect(!isSafe(text), "\(text)")
        }
        rules.keyHash = [UInt8](repeating: 1, count: 32)
        #expect(!isSafe("ws://192.168.1.2:9099") && isSafe("wss://example.org:9099"))
    }

    @Test("what the port refused is said as a person can mend it, and not as of another server")
    func sentences() {
        func sentence(_ error: WebSocketError) -> String { "\(BridgeClientError.unreachable(error))" }
        #expect(sentence(.refused(status: 403)).contains("bridgePlain"))
        #expect(sentence(.refused(status: 421)).contains("bridgeNames"))
        #expect(sentence(.untrusted(host: "192.168.1.2", reason: "HANDSHAKE")).contains("scan a new one"))
        #expect(sentence(.notAWebSocketServer) == "\(BridgeClientError.noHelloAck)")
        #expect(sentence(.endedWhileOpening) == "\(WebSocketError.endedWhileOpening)")
        #expect(sentence(.closed) == "\(WebSocketError.closed)")
    }

    @Test("a scanned code becomes a token that is told, and used from then on")
    func scanned() async throws {
        try await BridgeScene.run { scene in
            let given = try await scene.desktop.control.call(BridgeControl.newToken, NewBridgeToken(code: true))
            let code = try #require(given.payload.flatMap { BridgeCode(text: $0) })
            let client = MobileWebSocketClient(.init(scanned: code, device: "Ada's phone"))
            let events = client.events()
            await client.start()
            let token = try #require(
                await first(of: events) { if case .renewed(let token) = $0 { token } else { nil } }
            )
            await client.stop()
            #expect(await client.proof == .token(token))
            // The same client again: the code is used up, its token is not.
            let later = client.events()
            await client.start()
            #expect(await first(of: later, ack) != nil)
            await client.stop()
            _ = try await scene.proven(token)
            #expect(try await scene.tokens().map(\.name) == ["Ada's phone"])
        }
    }

    @Test("the answer to a code has ten seconds from the first try on, because a code is good once")
    func patience() async throws {
        let clock = ManualClock()
        let (peer, server) = ScriptedPeer.pair()
        let key = [UInt8](repeating: 1, count: 32)
        let code = BridgeCode(hosts: ["192.168.1.2"], port: 9099, code: "C", keyHash: key, name: "")
        var configuration = MobileWebSocketClient.Configuration(scanned: code, device: "Ada's phone")
        configuration.time = clock
        configuration.connect = { _, _ in peer }
        let client = MobileWebSocketClient(configuration)
        let events = client.events()
        await client.start()
        #expect(await server.next()?.contains(#""code":"C""#) == true)
        await clock.sleeper(for: .seconds(10))
        clock.advance(by: .seconds(9))
        server.send(#"{"type":"HelloAck","token":"","device_id":"7","next_token":"N"}"#)
        #expect(await first(of: events, ack)?.details?.nextToken == "N")
        #expect(await client.proof == .token("N"))
        await client.stop()
    }

    @Test("a wrong token, and one that is taken back, end the trying")
    func refused() async throws {
        try await BridgeScene.run { scene in
            let wrong = MobileWebSocketClient(try configuration(scene, "wrong"))
            let events = wrong.events()
            await wrong.start()
            let ended = try #require(await first(of: events, ending))
            #expect(ended == (.refused, nil))
            // Once that is told it can be started again, for example when its person said so.
            let again = wrong.events()
            await wrong.start()
            #expect(try #require(await first(of: again, ending)) == (.refused, nil))

            let (id, token) = try await scene.token()
            let client = MobileWebSocketClient(try configuration(scene, token))
            let later = client.events()
            await client.start()
            #expect(await first(of: later, ack) != nil)
            let last = client.events()
            _ = try await scene.desktop.control.call(BridgeControl.revoke, BridgeTokenName(id))
            #expect(try #require(await first(of: last, ending)) == (.revoked, nil))
            await client.stop()
        }
    }

    @Test("the documented list is asked for and read without an id")
    func threads() async throws {
        let (peer, server) = ScriptedPeer.pair()
        var configuration = MobileWebSocketClient.Configuration(
            addresses: [try #require(URL(string: "ws://127.0.0.1:9099"))],
            proof: .token("T")
        )
        configuration.allowsPlain = true
        configuration.version = 1
        configuration.connect = { _, _ in peer }
        let client = MobileWebSocketClient(configuration)
        let events = client.events()
        await client.start()
        #expect(await server.next() == #"{"type":"Hello","token":"T"}"#)
        // A documented server's echo, as binary and without a type.
        server.send(binary: #"{"token":"T"}"#)
        #expect(await first(of: events, ack) == BridgeHelloAck(token: "T"))
        async let threads = client.threads(topK: 5)
        #expect(await server.next() == #"{"type":"threads.list.request","data":{"topK":5}}"#)
        server.send(#"{"type":"threads.list.response","data":{"items":[{"id":"a","updated_at":7,"source":"codex"}]}}"#)
        #expect(try await threads.map(\.id) == ["a"])
        server.send(#"{"type":"Ping"}"#)
        #expect(await server.next() == #"{"type":"Pong"}"#)
        await client.stop()
    }

    @Test("it waits 1, 2, 4, … 30 s between tries, and a change of the network begins anew")
    func backoff() async throws {
        let clock = ManualClock()
        var configuration = MobileWebSocketClient.Configuration(
            addresses: [try #require(URL(string: "ws://127.0.0.1:9099"))],
            proof: .token("T")
        )
        configuration.allowsPlain = true
        configuration.time = clock
        let limits = Mutex<[Duration]>([])
        configuration.connect = { _, settings in
            limits.withLock { $0.append(settings.openTimeout) }
            throw WebSocketError.timedOut(after: settings.openTimeout)
        }
        let client = MobileWebSocketClient(configuration)
        var events = client.events().makeAsyncIterator()
        await client.start()
        func wait() async throws -> Duration {
            while let event = await events.next() {
                if let (_, wait) = ending(event) { return try #require(wait) }
            }
            throw BridgeClientError.lost
        }
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            let pause = try await wait()
            #expect(pause >= .seconds(seconds) * 0.8 && pause <= .seconds(seconds) * 1.2, "\(pause)")
            await clock.sleeper(for: pause)
            clock.advance(by: pause)
        }
        let pause = try await wait()
        await clock.sleeper(for: pause)
        await client.networkChanged()
        #expect(try await wait() < .seconds(2))
        #expect(limits.withLock { $0.prefix(3) } == [.seconds(3), .seconds(10), .seconds(10)])
        await client.stop()
    }

    @Test("five ends in a row between Hello and its answer are a refusal, and silence is no answer")
    func silent() async throws {
        let clock = ManualClock()
        var configuration = MobileWebSocketClient.Configuration(
            addresses: [try #require(URL(string: "ws://127.0.0.1:9099"))],
            proof: .token("T")
        )
        configuration.allowsPlain = true
        configuration.time = clock
        let servers = AsyncStream.makeStream(of: ScriptedPeer.Server.self)
        configuration.connect = { _, _ in
            let (peer, server) = ScriptedPeer.pair()
            servers.continuation.yield(server)
            return peer
        }
        let client = MobileWebSocketClient(configuration)
        var events = client.events().makeAsyncIterator()
        await client.start()
        var tries = servers.stream.makeAsyncIterator()
        for number in 1...5 {
            let server = try #require(await tries.next())
            #expect(await server.next() == #"{"type":"Hello","token":"T","v":2,"rotate":true}"#)
            if number == 2 {
                await clock.sleeper(for: MobileWebSocketClient.laterHelloTime)
                clock.advance(by: MobileWebSocketClient.laterHelloTime)
            } else {
                server.close()
            }
            while let event = await events.next() {
                guard let (error, pause) = ending(event) else { continue }
                #expect(error == (number < 5 ? .noHelloAck : .refused))
                #expect((pause == nil) == (number == 5))
                if let pause {
                    await clock.sleeper(for: pause)
                    clock.advance(by: pause)
                }
                break
            }
        }
        await client.stop()
    }

    /// Its connections are played by the test.
    private func scripted(version: Int64 = BridgeHello.ownVersion) throws
        -> (MobileWebSocketClient, AsyncStream<ScriptedPeer.Server>)
    {
        var configuration = MobileWebSocketClient.Configuration(
            addresses: [try #require(URL(string: "ws://127.0.0.1:9099"))],
            proof: .token("T")
        )
        configuration.allowsPlain = true
        configuration.version = version
        let (servers, continuation) = AsyncStream.makeStream(of: ScriptedPeer.Server.self)
        configuration.connect = { _, _ in
            let (peer, server) = ScriptedPeer.pair()
            continuation.yield(server)
            return peer
        }
        return (MobileWebSocketClient(configuration), servers)
    }

    @Test("nothing is sent before Hello is answered")
    func early() async throws {
        let (client, servers) = try scripted(version: 1)
        await client.start()
        let server = try #require(await servers.first { _ in true })
        #expect(await server.next() == #"{"type":"Hello","token":"T"}"#)
        await #expect(throws: BridgeClientError.notConnected) { try await client.request("bell.list") }
        await #expect(throws: BridgeClientError.notConnected) { try await client.ping() }
        let events = client.events()
        server.send(#"{"type":"HelloAck","token":"T"}"#)
        #expect(await first(of: events, ack) != nil)
        try await client.ping()
        #expect(await server.next() == #"{"type":"Ping"}"#)
        await client.stop()
    }

    @Test("started while it stops, it begins anew after the end, and ends with the next stop")
    func restarted() async throws {
        let (client, servers) = try scripted()
        var connections = servers.makeAsyncIterator()
        await client.start()
        let old = try #require(await connections.next())
        #expect(await old.next()?.contains("Hello") == true)
        old.answersEnd.set(false)
        let stopping = Task { await client.stop() }
        #expect(await old.next() == "close 1001")
        await client.start()
        old.answersEnd.set(true)
        await stopping.value
        let new = try #require(await connections.next())
        #expect(await new.next()?.contains("Hello") == true)
        let events = client.events()
        new.send(#"{"type":"HelloAck","token":"T"}"#)
        #expect(await first(of: events, ack) != nil)
        try await client.ping()
        #expect(await new.next() == #"{"type":"Ping"}"#)
        await client.stop()
        #expect(await new.next() == "close 1001")
        #expect(await new.next() == nil)
    }

    @Test("its good-bye reaches the computer")
    func goodbye() async throws {
        let server = try await AgreeingServer()
        var configuration = MobileWebSocketClient.Configuration(
            addresses: [try #require(URL(string: "ws://127.0.0.1:\(server.port)"))],
            proof: .token("T")
        )
        configuration.allowsPlain = true
        let client = MobileWebSocketClient(configuration)
        for number in 1...5 {
            let events = client.events()
            await client.start()
            #expect(await first(of: events, ack) != nil)
            await client.stop()
            for await endings in server.endings.values() where endings.count == number { break }
        }
        #expect(server.endings.value == Array(repeating: .byPeer(.goingAway, reason: ""), count: 5))
        await server.end()
    }

    @Test("an address that cannot be used does not end the trying of the others")
    func unusableAddress() async throws {
        var configuration = MobileWebSocketClient.Configuration(
            addresses: try ["ws://192.168.1.2:9099", "ws://203.0.113.7:9099"].map { try #require(URL(string: $0)) },
            proof: .token("T")
        )
        configuration.allowsPlain = true
        configuration.connect = { _, settings in throw WebSocketError.timedOut(after: settings.openTimeout) }
        let client = MobileWebSocketClient(configuration)
        let events = client.events()
        await client.start()
        let ended = try #require(await first(of: events, ending))
        #expect(ended.0 == .unreachable(.timedOut(after: MobileWebSocketClient.firstHelloTime)))
        #expect(ended.1 != nil)
        await client.stop()

        configuration.addresses.removeFirst()
        let lost = MobileWebSocketClient(configuration)
        let last = lost.events()
        await lost.start()
        #expect(try #require(await first(of: last, ending)) == (.unsafeAddress("ws://203.0.113.7:9099"), nil))
    }

    @Test("a computer of ours says why it gives no threads")
    func refusedThreads() async throws {
        try await BridgeScene.run { scene in
            let client = MobileWebSocketClient(try configuration(scene, try await scene.token().text))
            let events = client.events()
            await client.start()
            #expect(await first(of: events, ack) != nil)
            let failure = await #expect(throws: BridgeFailure.self) { try await client.threads() }
            #expect(failure?.code == -32601)
            await client.stop()
        }
    }

    @Test("once it is stopped and let go of, its readers and its delegate's teller end")
    func letGo() async throws {
        let delegate = RememberingDelegate()
        weak var client: MobileWebSocketClient?
        func use() async throws -> (AsyncStream<MobileWebSocketClient.Event>, Task<Void, Never>) {
            let (made, servers) = try scripted()
            client = made
            let (events, telling) = (made.events(), made.tell(delegate))
            await made.start()
            let server = try #require(await servers.first { _ in true })
            server.send(#"{"type":"HelloAck","token":"T"}"#)
            for await told in delegate.told.values() where told.count == 1 { break }
            await made.stop()
            return (events, telling)
        }
        let (events, telling) = try await use()
        for await _ in events {}
        await telling.value
        #expect(client == nil)
    }

    @Test("a request without an answer ends in time, and with its connection")
    func unanswered() async throws {
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            let client = MobileWebSocketClient(try configuration(scene, token))
            let events = client.events()
            await client.start()
            #expect(await first(of: events, ack) != nil)
            await #expect(throws: BridgeClientError.timedOut(after: .milliseconds(50))) {
                try await client.request("bell.wait", ["n": 1], timeout: .milliseconds(50))
            }
            let waiting = Task { try await client.request("bell.wait", ["n": 2]) }
            while !Task.isCancelled, await client.waitingCount == 0 { await Task.yield() }
            var others: [RawClient] = []
            // The oldest of nine is closed, which is the client's. What it asked for runs on, and ends with the scene.
            for _ in 0..<BridgeDoor.socketLimit { others.append(try await scene.proven(token)) }
            await #expect(throws: BridgeClientError.tooMany) { try await waiting.value }
            await client.stop()
            withExtendedLifetime(others) {}
        }
    }

    @Test("a request that waits when its token is taken back ends with that, and is told nothing")
    func revokedWhileWaiting() async throws {
        try await BridgeScene.run { scene in
            let client = MobileWebSocketClient(try configuration(scene, try await scene.token().text))
            let events = client.events()
            await client.start()
            #expect(await first(of: events, ack) != nil)
            let waiting = Task { try await client.request("bell.wait", ["n": 2]) }
            let id = try #require(try await scene.tokens().first?.id)
            for await begun in scene.bell.begun.values() where begun.contains(2) { break }
            _ = try await scene.desktop.control.call(BridgeControl.revoke, BridgeTokenName(id))
            // The computer ends what it did for the token, and tells nothing of that.
            await #expect(throws: BridgeClientError.revoked) { try await waiting.value }
            #expect(await client.waitingCount == 0)
            await client.stop()
        }
    }

    @Test("a connection that the server ends is made again after its wait, and the wait begins anew with each success")
    func again() async throws {
        let clock = ManualClock()
        try await BridgeScene.run { scene in
            let token = try await scene.token().text
            var configuration = try configuration(scene, token)
            configuration.time = clock
            let client = MobileWebSocketClient(configuration)
            let events = client.events()
            await client.start()
            #expect(await first(of: events, ack) != nil)
            for _ in 0..<3 {
                let later = client.events()
                var others: [RawClient] = []
                // The oldest of nine is closed, which is the client's.
                for _ in 0..<BridgeDoor.socketLimit { others.append(try await scene.proven(token)) }
                let (error, pause) = try #require(await first(of: later, ending))
                let wait = try #require(pause)
                #expect(error == .tooMany && wait <= .seconds(1) * 1.2)
                for other in others { await other.connection.close() }
                await clock.sleeper(for: wait)
                clock.advance(by: wait)
                #expect(await first(of: later, ack) != nil)
                #expect(try await client.request("bell.list")["items"] != nil)
            }
            await client.stop()
        }
    }

    @Test("a delegate is told of what happens, in its order")
    func delegate() async throws {
        try await BridgeScene.run { scene in
            let (id, token) = try await scene.token(rights: ["bell.read", "bell.ring"])
            let client = MobileWebSocketClient(try configuration(scene, token))
            let delegate = RememberingDelegate()
            let telling = client.tell(delegate)
            await client.start()
            for await told in delegate.told.values() where told.count == 1 { break }
            _ = try await client.request("bell.ring")
            for await told in delegate.told.values() where told.count == 2 { break }
            _ = try await scene.desktop.control.call(BridgeControl.revoke, BridgeTokenName(id))
            for await told in delegate.told.values() where told.count == 3 { break }
            #expect(delegate.told.value == ["connected to studio-pc", "bell.rang", "revoked nil"])
            telling.cancel()
            await client.stop()
        }
    }
}

private final class RememberingDelegate: MobileWebSocketClientDelegate {
    let told = LatestValue<[String]>([], capacity: 8)

    func webSocketClient(_ client: MobileWebSocketClient, connected ack: BridgeHelloAck) {
        told.update { $0.append("connected to \(ack.details?.serverName ?? "")") }
    }

    func webSocketClient(_ client: MobileWebSocketClient, renewed token: String) {
        told.update { $0.append("renewed") }
    }

    func webSocketClient(_ client: MobileWebSocketClient, received type: String, data: JSONValue) {
        told.update { $0.append(type) }
    }

    func webSocketClient(
        _ client: MobileWebSocketClient,
        disconnected error: BridgeClientError,
        retryAfter: Duration?
    ) {
        told.update { $0.append("\(error == .revoked ? "revoked" : "ended") \(retryAfter.map { "\($0)" } ?? "nil")") }
    }
}

/// A client's end of a connection whose other end a test plays.
private final class ScriptedPeer: WebSocketPeer {
    final class Server: Sendable {
        private let sent: AsyncStream<String>
        fileprivate let toClient: AsyncStream<WebSocketMessage>.Continuation
        /// Whether the client's good-bye is answered, without which it waits.
        let answersEnd = LatestValue(true)

        fileprivate init(_ sent: AsyncStream<String>, _ toClient: AsyncStream<WebSocketMessage>.Continuation) {
            self.sent = sent
            self.toClient = toClient
        }

        func next() async -> String? { await sent.first { _ in true } }
        func send(_ text: String) { toClient.yield(.text(Array(text.utf8))) }
        func send(binary text: String) { toClient.yield(.binary(Array(text.utf8))) }
        func close() { toClient.finish() }
    }

    let messages: WebSocketMessages
    private let fromClient: AsyncStream<String>.Continuation
    private let server: Server
    var subprotocol: String? { nil }
    var remoteAddress: String? { nil }
    var closure: WebSocketClosure? { .lost }

    static func pair() -> (ScriptedPeer, Server) {
        let (sent, fromClient) = AsyncStream.makeStream(of: String.self)
        let (received, toClient) = AsyncStream.makeStream(of: WebSocketMessage.self)
        let messages = WebSocketMessages { await received.first { _ in true } }
        let server = Server(sent, toClient)
        return (ScriptedPeer(messages, fromClient, server), server)
    }

    private init(
        _ messages: WebSocketMessages,
        _ fromClient: AsyncStream<String>.Continuation,
        _ server: Server
    ) {
        self.messages = messages
        self.fromClient = fromClient
        self.server = server
    }

    func send(text: [UInt8]) async throws { fromClient.yield(String(decoding: text, as: UTF8.self)) }
    func send(binary: [UInt8]) async throws {}
    func ping() async throws {}
    func close(_ code: WebSocketCloseCode, reason: String) async {
        fromClient.yield("close \(code.rawValue)")
        for await isAnswered in server.answersEnd.values() where isAnswered { break }
        abort()
    }
    func abort() {
        server.toClient.finish()
        fromClient.finish()
    }
}

/// A server that agrees with every first message, and keeps how each socket ended.
private final class AgreeingServer: Sendable {
    let endings = LatestValue<[WebSocketClosure?]>([], capacity: 16)
    let port: Int
    private let channel: any Channel
    private let serving: Task<Void, Never>

    init() async throws {
        let (accepted, continuation) = AsyncStream.makeStream(of: WebSocketConnection.self)
        channel = try await WebSocketListener(identity: nil).bind(
            host: "127.0.0.1",
            port: 0,
            group: MultiThreadedEventLoopGroup.singleton,
            admit: { _ in true },
            routes: .init(
                upgrade: { request, channel in
                    let (connection, handler) = WebSocketConnection.accept(
                        request,
                        on: channel,
                        subprotocol: nil,
                        clientAddress: nil,
                        configuration: WebSocketConfiguration(),
                        spend: { _ in nil }
                    )
                    continuation.yield(connection)
                    return .accept(handler)
                },
                http: { $0.eventLoop.makeSucceededFuture(false) }
            )
        )
        port = channel.localAddress?.port ?? 0
        serving = Task { [endings] in
            for await connection in accepted {
                for await _ in connection.messages {
                    try? await connection.send(text: #"{"type":"HelloAck","token":"T"}"#)
                }
                endings.update { $0.append(connection.closure) }
            }
        }
    }

    func end() async {
        serving.cancel()
        try? await channel.close()
    }
}
