import Foundation
import Kernel
import KernelTesting
import Logging
import Sealing
import SignalingTesting
import Synchronization
import Testing

@testable import Transport

@Suite("The sessions of a role", .timeLimit(.minutes(4)))
struct PeerSessionsTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private let computer = Identity()
    private let phone = Identity()

    private var phonePeer: SessionPeer { SessionPeer(did: phone.did, agreementKey: phone.agreementKey) }

    /// A computer's process: what it keeps is in its store.
    private struct Process {
        let listener: SessionListener
        let sessions: PeerSessions

        func close() async {
            await sessions.close()
            await listener.close()
        }
    }

    private func process(
        _ store: any SessionStore,
        bounds: KeptBounds = KeptBounds(),
        clock: ManualClock = ManualClock()
    ) -> Process {
        Process(
            listener: SessionListener(
                identity: computer,
                store: store,
                authorizer: PairedPeers([phonePeer]),
                logger: Self.logger
            ),
            sessions: PeerSessions(store: store, bounds: bounds, time: clock, logger: Self.logger)
        )
    }

    private func phoneProcess(_ store: any SessionStore = InMemorySessionStore()) async throws -> PeerConnection {
        try await PeerConnection(
            identity: phone,
            peer: SessionPeer(did: computer.did, agreementKey: computer.agreementKey),
            store: store,
            logger: Self.logger
        )
    }

    /// Connects the two with one more link.
    @discardableResult
    private func plug(_ phone: PeerConnection, _ process: Process) async throws -> InMemoryCable {
        let connection = try await process.listener.connection(to: phonePeer)
        if await process.sessions.connection(with: phonePeer.did) == nil { await process.sessions.add(connection) }
        let (first, second, cable) = InMemoryLink.pair(kind: .lan)
        await process.listener.add(second)
        await phone.add(first)
        await wait(connection, for: .connected(path: .lan))
        return cable
    }

    private func wait(_ connection: PeerConnection, for state: PeerConnectionState) async {
        for await next in connection.states() where next == state { return }
    }

    private func next(_ count: Int, of messages: inout PeerMessages.AsyncIterator) async -> [PeerMessage] {
        var received: [PeerMessage] = []
        while received.count < count, let message = await messages.next() { received.append(message) }
        return received
    }

    private func keep(_ numbers: ClosedRange<UInt8>, in process: Process) async throws {
        for number in numbers { try await process.sessions.keep(KeptMessage([number], topic: "t"), for: phonePeer) }
    }

    @Test(
        "what is kept comes in order and once, also over a connection that ends in between",
        arguments: SessionStoreTests.Kind.allCases
    )
    func interrupted(kind: SessionStoreTests.Kind) async throws {
        let store = try kind.make()
        let process = process(store)
        let phone = try await phoneProcess(kind.make())
        var messages = phone.messages().makeAsyncIterator()
        try await keep(1...3, in: process)
        let cable = try await plug(phone, process)
        var received = await next(3, of: &messages)
        let connection = try #require(await process.sessions.connection(with: phonePeer.did))
        cable.cut()
        await wait(connection, for: .notConnected)
        try await keep(4...6, in: process)
        try await plug(phone, process)
        received += await next(3, of: &messages)
        try await keep(7...7, in: process)
        received += await next(1, of: &messages)
        #expect(received.map(\.bytes) == (1...7).map { [$0] })
        #expect(received.map(\.durable) == (1...7).map { $0 })
        try await process.sessions.send([8], to: phonePeer.did, as: .now)
        #expect(await next(1, of: &messages).map(\.bytes) == [[8]])
        // The phone has it all, so nothing stays on disk.
        while !Task.isCancelled, try await !store.outbound(to: phonePeer.agreementKey).isEmpty { await Task.yield() }
        await phone.close()
        await process.close()
    }

    @Test(
        "a new process on each side goes on with the message that was in hand, under its number",
        arguments: SessionStoreTests.Kind.allCases
    )
    func restarted(kind: SessionStoreTests.Kind) async throws {
        let (store, phoneStore) = (try kind.make(), try kind.make())
        let first = process(store)
        try await keep(1...3, in: first)
        let phone = try await phoneProcess(phoneStore)
        try await plug(phone, first)
        var messages = phone.messages().makeAsyncIterator()
        // The first is done with; the second is in hand when the process ends.
        #expect(await next(2, of: &messages).map(\.durable) == [1, 2])
        await phone.close()
        await first.close()

        let second = process(store)
        try await keep(4...5, in: second)
        let again = try await phoneProcess(phoneStore)
        try await plug(again, second)
        var rest = again.messages().makeAsyncIterator()
        let received = await next(4, of: &rest)
        #expect(received.map(\.bytes) == [[2], [3], [4], [5]])
        #expect(received.map(\.durable) == [2, 3, 4, 5])
        await again.close()
        await second.close()
    }

    /// What arrives of messages that were kept while the phone was away.
    private func arriving(
        _ expected: [[UInt8]],
        kind: SessionStoreTests.Kind,
        bounds: KeptBounds = KeptBounds(),
        _ keep: (PeerSessions, any SessionStore, ManualClock) async throws -> Void
    ) async throws {
        let (store, clock) = (try kind.make(), ManualClock())
        let process = process(store, bounds: bounds, clock: clock)
        try await keep(process.sessions, store, clock)
        let phone = try await phoneProcess()
        try await plug(phone, process)
        var messages = phone.messages().makeAsyncIterator()
        #expect(await next(expected.count, of: &messages).map(\.bytes) == expected)
        // Nothing else was kept: this is kept last, so it comes last.
        try await process.sessions.keep(KeptMessage([0], topic: "mark"), for: phonePeer)
        #expect(await next(1, of: &messages).map(\.bytes) == [[0]])
        await phone.close()
        await process.close()
    }

    @Test("a message takes the place of one with its key", arguments: SessionStoreTests.Kind.allCases)
    func replaced(kind: SessionStoreTests.Kind) async throws {
        try await arriving([[2], [4], [5]], kind: kind) { sessions, _, _ in
            for (number, key) in [(UInt8(1), "k"), (2, nil), (3, "k"), (4, "other"), (5, "k")] {
                try await sessions.keep(KeptMessage([number], topic: "t", key: key), for: phonePeer)
            }
        }
    }

    @Test("of more than may be kept the oldest go: by count", arguments: SessionStoreTests.Kind.allCases)
    func count(kind: SessionStoreTests.Kind) async throws {
        try await arriving([[3], [4], [5]], kind: kind, bounds: KeptBounds(count: 3)) { sessions, _, _ in
            for number in UInt8(1)...5 {
                try await sessions.keep(KeptMessage([number], topic: "t"), for: phonePeer)
            }
        }
    }

    @Test("of more than may be kept the oldest go: by bytes", arguments: SessionStoreTests.Kind.allCases)
    func bytes(kind: SessionStoreTests.Kind) async throws {
        let bounds = KeptBounds(bytes: 10, messageBytes: 6)
        let large: [UInt8] = [2, 2, 2, 2, 2, 2]
        try await arriving([large, [3, 3, 3, 3]], kind: kind, bounds: bounds) { sessions, _, _ in
            try await sessions.keep(KeptMessage([1], topic: "t"), for: phonePeer)
            try await sessions.keep(KeptMessage(large, topic: "t"), for: phonePeer)
            try await sessions.keep(KeptMessage([3, 3, 3, 3], topic: "t"), for: phonePeer)
            await #expect(throws: SessionError.messageTooLong(bytes: 7, limit: 6)) {
                try await sessions.keep(KeptMessage(large + [2], topic: "t"), for: phonePeer)
            }
        }
    }

    @Test("what is too old is dropped, with the next message or when the phone comes", arguments: [false, true])
    func age(another: Bool) async throws {
        for kind in SessionStoreTests.Kind.allCases {
            let bounds = KeptBounds(age: 1000)
            try await arriving(another ? [[2], [3]] : [[2]], kind: kind, bounds: bounds) { sessions, _, clock in
                try await sessions.keep(KeptMessage([1], topic: "t"), for: phonePeer)
                clock.advance(by: .milliseconds(1))
                try await sessions.keep(KeptMessage([2], topic: "t"), for: phonePeer)
                clock.advance(by: .milliseconds(1000))
                if another { try await sessions.keep(KeptMessage([3], topic: "t"), for: phonePeer) }
            }
        }
    }

    @Test(
        "the newest of a state stays whatever its age, takes no place of news, and comes in its turn",
        arguments: SessionStoreTests.Kind.allCases
    )
    func states(kind: SessionStoreTests.Kind) async throws {
        let bounds = KeptBounds(count: 2, bytes: 8, messageBytes: 6, age: 1000)
        try await arriving([[2, 2, 2, 2, 2, 2], [5], [6]], kind: kind, bounds: bounds) { sessions, _, dates in
            try await sessions.keep(KeptMessage([1], topic: "t"), for: phonePeer)
            try await sessions.keep(KeptMessage(state: "s", [1, 1, 1, 1, 1, 1]), for: phonePeer)
            try await sessions.keep(KeptMessage(state: "s", [2, 2, 2, 2, 2, 2]), for: phonePeer)
            dates.advance(by: .milliseconds(1001))
            for number in UInt8(4)...6 { try await sessions.keep(KeptMessage([number], topic: "t"), for: phonePeer) }
        }
    }

    @Test(
        "dropped topics take their messages with them, and leave the others",
        arguments: SessionStoreTests.Kind.allCases
    )
    func topics(kind: SessionStoreTests.Kind) async throws {
        try await arriving([[2], [4]], kind: kind) { sessions, _, _ in
            for (number, topic) in [(UInt8(1), "a"), (2, "b"), (3, "c"), (4, "b"), (5, "a")] {
                try await sessions.keep(KeptMessage([number], topic: topic), for: phonePeer)
            }
            let other = Identity()
            let otherPeer = SessionPeer(did: other.did, agreementKey: other.agreementKey)
            try await sessions.dropKept(topics: ["b"], for: otherPeer)
            try await sessions.dropKept(topics: ["a", "c", "d"], for: phonePeer)
        }
    }

    @Test("nothing is kept of a peer that is forgotten", arguments: SessionStoreTests.Kind.allCases)
    func forgotten(kind: SessionStoreTests.Kind) async throws {
        try await arriving([], kind: kind) { sessions, store, _ in
            try await sessions.keep(KeptMessage([1], topic: "t", key: "k"), for: phonePeer)
            try await store.forget(phonePeer.agreementKey)
        }
    }

    @Test("to a peer that is away a message for now is refused, and a bulk one waits where there is a session")
    func deliveries() async throws {
        let process = process(InMemorySessionStore())
        let did = phonePeer.did
        for delivery in [Delivery.now, .bulk] {
            await #expect(throws: SessionError.notConnected) {
                try await process.sessions.send([1], to: did, as: delivery)
            }
        }
        let phone = try await phoneProcess()
        let cable = try await plug(phone, process)
        let connection = try #require(await process.sessions.connection(with: did))
        #expect(await process.sessions.path(to: did) == .lan)
        cable.cut()
        await wait(connection, for: .notConnected)
        #expect(await process.sessions.path(to: did) == nil)
        try await process.sessions.send([2], to: did, as: .bulk)
        await #expect(throws: SessionError.notConnected) { try await process.sessions.send([3], to: did, as: .now) }
        try await plug(phone, process)
        var messages = phone.messages().makeAsyncIterator()
        #expect(await next(1, of: &messages).map(\.bytes) == [[2]])
        try await process.sessions.send([4], to: did, as: .now)
        #expect(await next(1, of: &messages).map(\.bytes) == [[4]])
        await phone.close()
        await process.close()
    }

    @Test("a session that is ended twice at once is told once, and both wait for it")
    func ended() async throws {
        let process = process(InMemorySessionStore())
        let phone = try await phoneProcess()
        try await plug(phone, process)
        let connection = try #require(await process.sessions.connection(with: phonePeer.did))
        let reading = Task {
            var messages = phone.messages().makeAsyncIterator()
            return await next(2, of: &messages).map(\.bytes)
        }
        async let first = process.sessions.end(with: phonePeer, saying: [9])
        async let second = process.sessions.end(with: phonePeer, saying: [9])
        let heard = await [first, second]
        #expect(heard == [true, true])
        #expect(await process.sessions.connection(with: phonePeer.did) == nil)
        // Too late to say anything, and it was said.
        #expect(await process.sessions.end(with: phonePeer, saying: [9]))
        // Its owner closes it; what is said until then comes after the one farewell.
        try await connection.send([1])
        #expect(await reading.value == [[9], [1]])
        await process.sessions.add(connection)
        #expect(await process.sessions.end(with: phonePeer, closing: true) == false)
        #expect(connection.state == .closed)
        await phone.close()
        await process.close()
    }
}
