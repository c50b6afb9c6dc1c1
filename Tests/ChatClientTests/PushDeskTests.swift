import Accounts
import Chat
import Foundation
import Kernel
import Logging
import Storage
import Synchronization
import Testing

@testable import ChatClient

@Suite("Where a phone is woken", .timeLimit(.minutes(1)))
struct PushDeskTests {
    /// A hub that notes what it is told of pushes.
    private final class PushHub: ChatServer {
        private struct State {
            var failure: ChatError?
            var told: [RegisterPush.Change] = []
        }

        private let state = Mutex(State())
        let asked = LatestValue(0)

        var told: [RegisterPush.Change] { state.withLock(\.told) }

        func fail(_ failure: ChatError?) { state.withLock { $0.failure = failure } }

        func follow(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async {}

        func ask<Request, Answer>(
            _ endpoint: ChatEndpoint<Request, Answer>,
            _ request: Request
        ) async throws(ChatError) -> Answer {
            let failure = state.withLock { state in
                if state.failure == nil, let push = request as? RegisterPush { state.told.append(push.change) }
                return state.failure
            }
            asked.update { $0 += 1 }
            if let failure { throw failure }
            return try Answer(wire: ["applicationServerKey": "hub-key"])
        }

        func wait(for count: Int) async { for await all in asked.values() where all >= count { return } }
    }

    private let hub = PushHub()
    private let desk: PushDesk

    init() throws { desk = PushDesk(try StateDatabase.inMemory(schema: [ChatStore.migrations])) }

    private static func place(_ name: String) throws -> RegisterPush.Change {
        try ChatControl.PushPlace(
            subscription: .init(
                endpoint: "https://push.example/\(name)",
                p256dh: "key",
                auth: "secret",
                applicationKey: "own"
            ),
            previews: true
        ).change()
    }

    /// Runs a session; each value of the stream is a connection that the hub takes.
    private func session(_ body: (AsyncStream<Void>.Continuation) async throws -> Void) async throws {
        let (moments, moment) = AsyncStream.makeStream(of: Void.self)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let teller = PushTeller(desk, server: hub, moments: { moments }, logger: logger)
        let running = Task { await teller.run() }
        defer { running.cancel() }
        try await body(moment)
        moment.finish()
        running.cancel()
        await running.value
    }

    @Test("nothing is told where the page said nothing; a place is told once to each session, also one from before it")
    func told() async throws {
        try await desk.set(Self.place("one"))
        for _ in 0..<2 {
            let before = hub.asked.value
            try await session { moment in
                moment.yield(())
                await hub.wait(for: before + 1)
                moment.yield(())
                try await desk.set(Self.place("two"))
                await hub.wait(for: before + 2)
                try await desk.set(Self.place("one"))
                await hub.wait(for: before + 3)
            }
        }
        let one = try Self.place("one")
        let two = try Self.place("two")
        #expect(hub.told == [one, two, one, one, two, one])
    }

    @Test("a place that ended is told so when the hub is reached, once, and to no later session")
    func removed() async throws {
        #expect(try await desk.change() == .none)
        hub.fail(.unreachable)
        try await desk.set(.remove)
        try await session { moment in
            moment.yield(())
            await hub.wait(for: 1)
            #expect(try await desk.change() == .remove)
            hub.fail(nil)
            moment.yield(())
            await hub.wait(for: 2)
            // It is forgotten once the hub has answered.
            while try await desk.change() != .none { await Task.yield() }
        }
        #expect(hub.told == [.remove])
        #expect(try await desk.change() == .none)
    }

    @Test("a hub that does not take the place is not asked again for it")
    func refused() async throws {
        hub.fail(.refused(.badArguments, hub: "no"))
        try await desk.set(Self.place("one"))
        try await session { moment in
            moment.yield(())
            await hub.wait(for: 1)
            hub.fail(nil)
            moment.yield(())
            try await desk.set(Self.place("two"))
            await hub.wait(for: 2)
        }
        #expect(hub.told == [try Self.place("two")])
    }

    @Test("what is no subscription is not kept", arguments: ["", String(repeating: "x", count: 3000)])
    func bounded(endpoint: String) {
        let place = ChatControl.PushPlace(subscription: .init(endpoint: endpoint, p256dh: "key", auth: "secret"))
        #expect(throws: ChatError.self) { try place.change() }
    }
}
