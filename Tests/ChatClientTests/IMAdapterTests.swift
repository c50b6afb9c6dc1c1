import Accounts
import AccountsClient
import Chat
import Foundation
import Kernel
import KernelTesting
import Logging
import Synchronization
import Testing
import Transport
import WebClient
import WebClientTesting

@testable import ChatClient

/// The connection with a hub, over a socket and a client of the web in memory.
@Suite(.timeLimit(.minutes(2))) struct IMAdapterTests {
    /// Hands out `t1`, `t2` and so on, until the session is over.
    private final class Tokens: AccessTokenSource {
        private struct State {
            var number = 1
            var isOver = false
        }

        private let state = Mutex(State())

        var number: Int { state.withLock(\.number) }
        func end() { state.withLock { $0.isOver = true } }

        func token() async throws -> String {
            try state.withLock { state in
                if state.isOver { throw AccountClientError.signedOut(name: "ada", hub: "hub.example") }
                return "t\(state.number)"
            }
        }

        func token(replacing refused: String) async throws -> String {
            state.withLock { if refused == "t\($0.number)" { $0.number += 1 } }
            return try await token()
        }
    }

    /// The sockets that an adapter opens, one after the other.
    private final class Dialled: Sendable {
        private let peers: Mutex<[Result<ScriptedPeer, WebSocketError>]>
        private let asked = LatestValue<[String]>([])

        init(_ peers: [Result<ScriptedPeer, WebSocketError>]) { self.peers = Mutex(peers) }

        /// The tokens with which it was dialled.
        var tokens: [String] { asked.value }
        func wait(for count: Int) async { for await all in asked.values() where all.count >= count { return } }

        var dial: ChatDialer {
            { [self] url, token in
                #expect(url.absoluteString == "wss://hub.example/chat/socket?sendID=tb_7")
                asked.update { $0.append(token) }
                let next = peers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let next else { throw WebSocketError.timedOut(after: .zero) }
                return try next.get()
            }
        }
    }

    private let clock = ManualClock()
    private let tokens = Tokens()
    private static let ada = UserID(7)

    private func adapter(
        _ dialled: Dialled,
        web: any WebClient = ScriptedWebClient { _ in throw WebClientError.unknownHost("hub.example") }
    ) throws -> IMAdapter {
        IMAdapter(
            hub: try WebURL("https://hub.example"),
            user: try #require(Self.ada),
            tokens: tokens,
            web: web,
            dial: dialled.dial,
            time: clock,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
    }

    /// Follows for as long as `body` takes.
    private func following(
        _ adapter: IMAdapter,
        _ body: @Sendable (NewsRecord) async throws -> Void
    ) async throws {
        let record = NewsRecord()
        let following = Task { await adapter.follow(record.take) }
        defer { following.cancel() }
        try await body(record)
        following.cancel()
        await following.value
    }

    private static func push(_ id: String, _ sequence: Int64) throws -> JSONValue {
        let (ada, bob) = (try #require(UserID(7)), try #require(UserID(9)))
        let chat = try #require(ConversationID(ada, bob))
        var message = MessageData(
            clientMessageID: id,
            from: bob,
            to: ada,
            contentType: .text,
            element: ["content": "hello"]
        )
        message.sequence = sequence
        return PulledMessages([chat: PulledMessages.Part(messages: [message], isEnd: true, endSequence: sequence)]).wire
    }

    private static func envelope(_ data: JSONValue = [:], _ code: IMErrorCode = .none) throws -> CollectedAnswer {
        let envelope = code == .none ? IMEnvelope(data) : IMEnvelope(IMFailure(code, detail: "no"))
        return CollectedAnswer(status: code.status, body: try JSONValue(encoding: envelope).canonicalBytes)
    }

    // MARK: The connection

    @Test("what is pushed comes in its order, behind the word that the connection stands")
    func pushes() async throws {
        let peer = ScriptedPeer()
        try await following(adapter(Dialled([.success(peer)]))) { record in
            _ = await record.wait(for: 1)
            for number in 1...3 { peer.push(try Self.push("m-\(number)", Int64(number))) }
            peer.push(["events": [["event": "hidden", "conversationID": "si_tb_7_tb_9", "seq": 3, "useq": 5]]])
            peer.push(["resync": true])
            let told = await record.wait(for: 6)
            #expect(told == ["connected", "message m-1", "message m-2", "message m-3", "event 5", "resync"])
        }
    }

    @Test("a connection that ends is told as lost, and made anew after a wait")
    func again() async throws {
        let (first, second) = (ScriptedPeer(), ScriptedPeer())
        let dialled = Dialled([.success(first), .success(second)])
        try await following(adapter(dialled)) { record in
            _ = await record.wait(for: 1)
            first.abort()
            _ = await record.wait(for: 2)
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            #expect(await record.wait(for: 3) == ["connected", "lost", "connected"])
        }
    }

    @Test("a token that the hub does not take is renewed once and the connection made again at once")
    func renewed() async throws {
        let refusing = ScriptedPeer { _ in [SyncFrame.Response(.error, code: .tokenExpired, message: "expired")] }
        let dialled = Dialled([.success(refusing), .success(ScriptedPeer())])
        try await following(adapter(dialled)) { record in
            #expect(await record.wait(for: 1) == ["connected"])
            #expect(dialled.tokens == ["t1", "t2"])
        }
    }

    @Test("a hub that does not take the connection says why in its own words, beside ours")
    func notTaken() async throws {
        let refusing = ScriptedPeer { _ in
            [SyncFrame.Response(.error, code: .noPermission, message: "Chats are closed until Monday.")]
        }
        let adapter = try adapter(Dialled([.success(refusing)]))
        try await following(adapter) { _ in
            for await reach in adapter.reach.values() {
                guard case .away(let reason) = reach else { continue }
                #expect(reason == "\(ChatError.refused(.noPermission, hub: "Chats are closed until Monday."))")
                break
            }
        }
    }

    @Test("a session that was ended is told so, and nothing is asked any more; the hub's word alone ends none")
    func ended() async throws {
        let (first, second) = (ScriptedPeer(), ScriptedPeer())
        let dialled = Dialled([.success(first), .success(second)])
        try await following(adapter(dialled)) { record in
            _ = await record.wait(for: 1)
            first.tell(SyncFrame.Response(.kicked))
            // The account has another token: it was not ended.
            #expect(await record.wait(for: 3) == ["connected", "lost", "connected"])
            tokens.end()
            second.tell(SyncFrame.Response(.kicked))
            #expect(await record.wait(for: 5).suffix(2) == ["lost", "ended"])
            #expect(dialled.tokens.count == 2)
        }
    }

    @Test("a hub without chat is named as such, and asked again only after a long while")
    func noChat() async throws {
        let dialled = Dialled([.failure(.refused(status: 404)), .success(ScriptedPeer())])
        let adapter = try adapter(dialled)
        try await following(adapter) { record in
            for await reach in adapter.reach.values() where reach == .noChat { break }
            await clock.sleepers(1)
            clock.advance(by: .seconds(600))
            #expect(dialled.tokens.count == 1)
            clock.advance(by: .seconds(300))
            #expect(await record.wait(for: 1) == ["connected"])
        }
    }

    @Test("a hub that ends while the socket opens is not taken for one without chat: it is soon tried again")
    func endsWhileOpening() async throws {
        let ended = Result<ScriptedPeer, WebSocketError>.failure(.endedWhileOpening)
        let dialled = Dialled([ended, ended, .success(ScriptedPeer())])
        let adapter = try adapter(dialled)
        try await following(adapter) { record in
            for tries in 1...2 {
                await dialled.wait(for: tries)
                for await reach in adapter.reach.values() { if case .away = reach { break } }
                await clock.sleepers(1)
                clock.advance(by: .seconds(2))
            }
            #expect(await record.wait(for: 1) == ["connected"])
        }
    }

    @Test(
        "an answer to a request shows that there is chat after all: the socket is tried at once",
        arguments: [WebSocketError.refused(status: 404), .notAWebSocketServer]
    )
    func hurries(after answer: WebSocketError) async throws {
        let dialled = Dialled([.failure(answer), .success(ScriptedPeer())])
        let ada = try #require(Self.ada)
        let adapter = try adapter(dialled, web: ScriptedWebClient { _ in try Self.envelope(["seqs": [:]]) })
        try await following(adapter) { record in
            for await reach in adapter.reach.values() where reach == .noChat { break }
            await clock.sleepers(1)
            _ = try await adapter.ask(IMEndpoints.readSequences, ConversationsRequest(ada, []))
            #expect(await record.wait(for: 1) == ["connected"])
        }
    }

    @Test(
        "garbage, strange answers and frames that nobody knows are passed over, and too many of them end the connection"
    )
    func hostile() async throws {
        let (first, second) = (ScriptedPeer(), ScriptedPeer())
        let dialled = Dialled([.success(first), .success(second)])
        try await following(adapter(dialled)) { record in
            _ = await record.wait(for: 1)
            first.tell("{")
            first.tell(binary: [0, 1, 2])
            first.tell(SyncFrame.Response(.send, increment: "99"))
            first.tell(SyncFrame.Response(FrameID(rawValue: 4711), increment: "1"))
            first.push(try Self.push("m-1", 1))
            #expect(await record.wait(for: 2) == ["connected", "message m-1"])
            for _ in 0..<HubSocket.strayLimit { first.tell("[]") }
            #expect(await record.wait(for: 3).last == "lost")
            #expect(first.closure != nil)
        }
    }

    @Test("a push that cannot be read is no message: what is missing is asked for")
    func unreadable() async throws {
        let peer = ScriptedPeer()
        try await following(adapter(Dialled([.success(peer)]))) { record in
            _ = await record.wait(for: 1)
            peer.push(["msgs": ["si_tb_7_tb_9": "no"]])
            #expect(await record.wait(for: 2) == ["connected", "resync"])
        }
    }

    @Test("an event of a push that cannot be read costs no other, and is asked for")
    func unreadableEvent() async throws {
        let peer = ScriptedPeer()
        try await following(adapter(Dialled([.success(peer)]))) { record in
            _ = await record.wait(for: 1)
            let hidden: JSONValue = ["event": "hidden", "conversationID": "si_tb_7_tb_9", "seq": 3, "useq": 5]
            for _ in 0..<HubSocket.strayLimit { peer.push(["events": [7, hidden]]) }
            let told = await record.wait(for: 1 + 2 * HubSocket.strayLimit)
            #expect(told.dropFirst().prefix(2) == ["event 5", "resync"])
            #expect(peer.closure == nil)
        }
    }

    // MARK: Requests

    @Test("a short request goes over the socket, with the answer that bears its number and no other")
    func overSocket() async throws {
        let peer = ScriptedPeer { request in
            let answer = SyncFrame.Response(
                request.id,
                increment: request.increment,
                data: ["seqs": ["si_tb_7_tb_9": ["maxSeq": 3, "hasReadSeq": 2]]]
            )
            var (other, wrong) = (answer, answer)
            other.increment = "77"
            wrong.id = .pullRanges
            return [other, wrong, answer, answer]
        }
        let (ada, chat) = (try #require(Self.ada), try #require(ConversationID("si_tb_7_tb_9")))
        let adapter = try adapter(Dialled([.success(peer)]))
        try await following(adapter) { record in
            _ = await record.wait(for: 1)
            let answer = try await adapter.ask(IMEndpoints.readSequences, ConversationsRequest(ada, [chat]))
            #expect(answer.wire["seqs"]?["si_tb_7_tb_9"]?["maxSeq"] == 3)
            #expect(peer.sent.map(\.id) == [.background, .readSequences])
        }
    }

    @Test("everything goes by HTTP while the socket is not open, and a request goes on there whose socket ends")
    func overHTTP() async throws {
        let peer = ScriptedPeer { request in
            request.id == .background ? ScriptedPeer.taking(request) : []
        }
        let web = ScriptedWebClient { request in
            #expect(request.fields["Authorization"] == "Bearer t1")
            return try Self.envelope(["seqs": [:]])
        }
        let (ada, chat) = (try #require(Self.ada), try #require(ConversationID("si_tb_7_tb_9")))
        let adapter = try adapter(Dialled([.success(peer)]), web: web)
        _ = try await adapter.ask(IMEndpoints.readSequences, ConversationsRequest(ada, [chat]))
        #expect(web.requests.map(\.url.text) == ["https://hub.example/msg/get_conversations_has_read_and_max_seq"])
        try await following(adapter) { record in
            _ = await record.wait(for: 1)
            async let answer = adapter.ask(IMEndpoints.readSequences, ConversationsRequest(ada, [chat]))
            while !peer.sent.contains(where: { $0.id == .readSequences }) { await Task.yield() }
            peer.abort()
            _ = try await answer
            #expect(web.requests.count == 2)
        }
    }

    @Test("pushes that the repository does not take stop the socket and not the requests")
    func heldUp() async throws {
        let peer = ScriptedPeer()
        let web = ScriptedWebClient { _ in try Self.envelope(["seqs": [:]]) }
        let (ada, chat) = (try #require(Self.ada), try #require(ConversationID("si_tb_7_tb_9")))
        let adapter = try adapter(Dialled([.success(peer)]), web: web)
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        let count = LatestValue(0)
        let following = Task {
            await adapter.follow { news in
                guard case .messages = news else { return }
                if count.value == 0 { for await _ in gate { break } }
                count.update { $0 += 1 }
            }
        }
        for await reach in adapter.reach.values() where reach == .live { break }
        for number in 1...200 { peer.push(try Self.push("m-\(number)", Int64(number))) }
        // Over the socket it would wait for the gate.
        while web.requests.isEmpty {
            _ = try await adapter.ask(IMEndpoints.readSequences, ConversationsRequest(ada, [chat]))
        }
        opened.yield(())
        for await all in count.values() where all == 200 { break }
        following.cancel()
        await following.value
    }

    @Test(
        "what a hub answers is told as what it means",
        arguments: [
            (CollectedAnswer(status: 404, body: Array("not found".utf8)), ChatError.noChat),
            (CollectedAnswer(status: 302, fields: ["Location": "https://evil.example/"]), .redirected),
            (CollectedAnswer(status: 503), .unreachable), (CollectedAnswer(status: 200), .malformed("answer")),
            (CollectedAnswer(status: 200, body: Array("[1".utf8)), .malformed("answer")),
        ]
    )
    func answers(answer: CollectedAnswer, error: ChatError) async throws {
        let web = ScriptedWebClient { _ in answer }
        let adapter = try adapter(Dialled([]), web: web)
        await #expect(throws: error) { try await adapter.ask(ChatEndpoints.sign, SignURLs([])) }
        #expect(web.requests.count == 1)
    }

    @Test("a refusal keeps its code; one of the token is asked again with another token, once")
    func refusals() async throws {
        let blocked = try adapter(Dialled([]), web: ScriptedWebClient { _ in try Self.envelope([:], .blockedByPeer) })
        await #expect(throws: ChatError.refused(.blockedByPeer, hub: "no")) {
            try await blocked.ask(ChatEndpoints.sign, SignURLs([]))
        }
        let web = ScriptedWebClient { request in
            try request.fields["Authorization"] == "Bearer t1" ? Self.envelope([:], .tokenExpired) : Self.envelope()
        }
        _ = try await adapter(Dialled([]), web: web).ask(ChatEndpoints.sign, SignURLs([]))
        #expect(web.requests.count == 2)
        let never = ScriptedWebClient { _ in try Self.envelope([:], .tokenExpired) }
        await #expect(throws: ChatError.refused(.tokenExpired, hub: "no")) {
            try await adapter(Dialled([]), web: never).ask(ChatEndpoints.sign, SignURLs([]))
        }
        #expect(never.requests.count == 2)
        tokens.end()
        await #expect(throws: ChatError.noAccount) {
            try await adapter(Dialled([]), web: web).ask(ChatEndpoints.sign, SignURLs([]))
        }
    }

    @Test("an answer of more than 8 MiB is not read")
    func large() async throws {
        let web = ScriptedWebClient { _ in
            CollectedAnswer(status: 200, body: [UInt8](repeating: 0x20, count: Int(HubRequests.largestAnswer) + 1))
        }
        await #expect(throws: ChatError.tooLong("answer", limit: Int(HubRequests.largestAnswer))) {
            try await adapter(Dialled([]), web: web).ask(ChatEndpoints.sign, SignURLs([]))
        }
    }
}
