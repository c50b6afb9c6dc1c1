import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import RouteServer
import Synchronization
import Testing
import Transport

@Suite("Connections of routes", .timeLimit(.minutes(1)))
struct RouteConnectionTests {
    @Test("a route can wait until its answer has left, and is told where nobody is there to take it")
    func connected() async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 9)).get()
        let seen = Mutex<RouteRequest?>(nil)
        let route = try HTTPRoute(.get, "/once") { request, _ in
            seen.withLock { $0 = request }
            return HTTPRouteResponse(status: 204)
        }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "hub.example", path: "/once")
        _ = try await HTTPRouteAnswer.answer(
            Request(head: head, body: RequestBody(buffer: ByteBuffer())),
            by: route,
            parameters: [:],
            clientAddress: nil,
            channel: channel
        )
        let found = seen.withLock { $0 }
        let request = try #require(found)
        #expect(await request.hasLeft())
        channel.isWritable = false
        async let hasLeft = request.hasLeft()
        channel.isWritable = true
        #expect(await hasLeft)
        channel.isWritable = false
        async let isTaken = request.hasLeft()
        try await channel.close()
        #expect(await !isTaken)
        #expect(await !request.hasLeft())
    }
}
