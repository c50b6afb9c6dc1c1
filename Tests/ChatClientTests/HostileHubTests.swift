import Accounts
import Capabilities
import Chat
import HomeTesting
import Kernel
import Logging
import NetworkWebClient
import Synchronization
import Testing
import Transport
import WebClient

@testable import ChatClient

/// A connection with a server that is no friend, over real sockets.
@Suite("A hostile hub", .timeLimit(.minutes(2)))
struct HostileHubTests {
    /// A server in place of a hub's chat.
    private struct Feature: ServedFeature {
        let serve: WebSocketRoute.Handler
        let answer: @Sendable () -> HTTPRouteResponse

        func serverRoutes() throws -> RouteSet {
            RouteSet(
                http: [
                    try HTTPRoute(.post, "/chat/media/sign", maximumBodyBytes: 1 << 20) { [answer] _, _ in answer() }
                ],
                webSockets: [
                    try WebSocketRoute(IMAdapter.socketPath, maximumMessageBytes: 4 << 20, handler: serve)
                ]
            )
        }
    }

    private static func run(
        answering answer: @escaping @Sendable () -> HTTPRouteResponse = { .text("no", status: 404) },
        serving serve: @escaping WebSocketRoute.Handler,
        _ body: @escaping @Sendable (IMAdapter) async throws -> Void
    ) async throws {
        let maker = ServedFeatureMaker("chat") { _ in Feature(serve: serve, answer: answer) }
        try await Home.run(hubs: [HubPlan(features: [maker])], computers: [], phones: []) { home in
            let web = try NetworkWebClient()
            let adapter = IMAdapter(
                hub: try WebURL(try await home.hub(named: "hub").url("")),
                user: try #require(UserID(7)),
                tokens: UploadClientTests.OneToken(),
                web: web,
                timing: IMAdapter.Timing(backoff: Backoff(steps: [.milliseconds(5)])),
                logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            )
            do { try await body(adapter) } catch {
                await web.shutdown()
                throw error
            }
            await web.shutdown()
        }
    }

    @Test("a frame of more than 256 KiB ends the connection, and the next one is good")
    func large() async throws {
        let served = Mutex(0)
        try await Self.run { peer, _ in
            let number = served.withLock { served in
                served += 1
                return served
            }
            for await message in peer.messages {
                guard case .request(let request) = try SyncFrame(text: message.bytes) else { continue }
                let answer = SyncFrame.Response(request.id, increment: request.increment)
                try await peer.send(text: answer.wire.canonicalBytes)
                guard number == 1 else { continue }
                let push = SyncFrame.Response(.push, message: String(repeating: "x", count: ChatLimits.ownFrame))
                try await peer.send(text: push.wire.canonicalBytes)
            }
        } _: { adapter in
            let record = NewsRecord()
            let following = Task { await adapter.follow(record.take) }
            #expect(await record.wait(for: 3) == ["connected", "lost", "connected"])
            following.cancel()
            await following.value
        }
    }

    @Test("a server that answers nothing on the socket, or floods it with garbage, is left again and again")
    func silent() async throws {
        let served = LatestValue(0)
        try await Self.run { peer, _ in
            served.update { $0 += 1 }
            for _ in 0..<100 { try await peer.send(text: "{\"reqIdentifier\":\"x\"}") }
            for await _ in peer.messages {}
        } _: { adapter in
            let record = NewsRecord()
            let following = Task { await adapter.follow(record.take) }
            for await count in served.values() where count >= 3 { break }
            #expect(record.all == [])
            following.cancel()
            await following.value
        }
    }

    @Test("a redirect is not followed, and an answer of 10 MB is not read")
    func answers() async throws {
        let redirect = HTTPRouteResponse(status: 302, fields: [("Location", "/chat/media/sign")])
        let large = HTTPRouteResponse(body: .bytes([UInt8](repeating: 0x20, count: 10 << 20)))
        let cases: [(HTTPRouteResponse, ChatError)] = [
            (redirect, .redirected), (large, .tooLong("answer", limit: Int(HubRequests.largestAnswer))),
        ]
        for (answer, error) in cases {
            try await Self.run(answering: { answer }, serving: { _, _ in }) { adapter in
                await #expect(throws: error) { try await adapter.ask(ChatEndpoints.sign, SignURLs(["a"])) }
            }
        }
    }
}
