import FeatureTesting
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import Transfers

@Suite("Dialing a direct connection", .timeLimit(.minutes(2)))
struct BulkDialerTests {
    /// A computer that gives tickets, and a phone's dialer for it.
    private final class Scene: Sendable {
        let clock = ManualClock()
        let session = ScriptedLink(partSize: 512 << 10)
        let chosen: ChosenByteLink
        let tickets = BulkTickets(time: .awake)
        let listener: BulkListener
        let place: Mutex<BulkDialer.Place?>
        private let asked = Mutex(0)
        private let made = Mutex<BulkDialer?>(nil)

        /// - Parameters:
        ///   - port: The port that tickets say; nil for the listener's.
        ///   - answers: The session that tickets are of.
        init(
            _ bodies: any BulkBodies = MemoryBodies([1, 2, 3, 4]),
            addresses: [String] = ["127.0.0.1"],
            port: UInt16? = nil,
            answers: [UInt8] = [UInt8](repeating: 5, count: 16),
            secret: [UInt8] = [UInt8](repeating: 9, count: 32),
            patience: Duration = BulkLimits.stallTime
        ) throws {
            chosen = ChosenByteLink(session: session)
            listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: bodies)
            place = Mutex(
                BulkDialer.Place(addresses: addresses, session: [UInt8](repeating: 5, count: 16), secret: secret)
            )
            let dialer = BulkDialer(chosen, time: clock, patience: patience) { [weak self] in
                self?.place.withLock { $0 }
            } ask: { [weak self] _ in
                guard let self else { throw BulkError.closed }
                asked.withLock { $0 += 1 }
                let ticket = try tickets.issue(to: "phone", secret: [UInt8](repeating: 9, count: 32))
                return BulkOffer(ticket: ticket, port: port ?? listener.port, session: answers)
            }
            made.withLock { $0 = dialer }
        }

        var dialer: BulkDialer {
            get throws { try #require(made.withLock { $0 }) }
        }

        var questions: Int { asked.withLock { $0 } }

        func fetch() async throws {
            try await chosen.fetch(4, at: 0, of: TransferID()) { _, _ in }
        }

        /// Wishes for a connection, and returns when an attempt has ended: with one, or without.
        func attempt() async throws {
            let dialer = try dialer
            dialer.wish(for: TransferID())
            while !Task.isCancelled, dialer.isDialing { await Task.yield() }
        }

        func end() async throws {
            try await dialer.close()
            listener.end()
        }
    }

    @Test("a part that would go faster brings a connection, and the next parts take it")
    func dialed() async throws {
        let scene = try Scene()
        try await scene.fetch()
        try await scene.attempt()
        #expect(try scene.dialer.way == .direct(address: "127.0.0.1"))
        try await scene.fetch()
        #expect((scene.chosen.moved.direct, scene.chosen.moved.session) == (4, 4))
        // While there is one no other is asked for.
        try await scene.attempt()
        #expect(scene.questions == 1)
        try await scene.end()
        #expect(scene.tickets.connectionCount <= 1)
        try await scene.fetch()
        #expect(scene.chosen.moved.session == 8)
    }

    @Test("where nobody listens files go through the session, the reason is known, and five minutes nobody asks again")
    func refused() async throws {
        let scene = try Scene(port: 1)
        try await scene.attempt()
        let way = try scene.dialer.way
        guard case .session(.unreachable?) = way else { return #expect(Bool(false), "\(way)") }
        try await scene.fetch()
        #expect(scene.chosen.moved.session == 4)
        scene.clock.advance(by: .seconds(299))
        try await scene.attempt()
        #expect(scene.questions == 1)
        scene.clock.advance(by: .seconds(11))
        try await scene.attempt()
        #expect(scene.questions == 2)
        // Reached anew, what failed before says nothing.
        try scene.dialer.networkChanged()
        try await scene.attempt()
        #expect(scene.questions == 3)
        try await scene.end()
    }

    @Test("the next address is tried with the same ticket where one is not reached")
    func nextAddress() async throws {
        // A name is no address; nothing is looked up for it.
        let scene = try Scene(addresses: ["desk.example", "127.0.0.1"])
        try await scene.attempt()
        #expect(try scene.dialer.way == .direct(address: "127.0.0.1"))
        #expect(scene.questions == 1)
        try await scene.end()
    }

    @Test("a ticket of another session opens nothing, and neither does one whose secret is not known")
    func otherSession() async throws {
        for scene in [
            try Scene(answers: [UInt8](repeating: 6, count: 16)), try Scene(secret: [UInt8](repeating: 8, count: 32)),
        ] {
            try await scene.attempt()
            guard case .session = try scene.dialer.way else { return #expect(Bool(false)) }
            try await scene.fetch()
            #expect((scene.chosen.moved.direct, scene.chosen.moved.session) == (0, 4))
            try await scene.end()
        }
    }

    @Test("a computer that is reached through a relay only is not asked")
    func relay() async throws {
        let scene = try Scene()
        scene.place.withLock { $0 = nil }
        try await scene.attempt()
        #expect(scene.questions == 0)
        #expect(try scene.dialer.way == .session(nil))
        try await scene.end()
    }

    @Test(
        "a connection on which nothing moves is left with its part, which goes through the session, and dialed again later"
    )
    func stalled() async throws {
        let bodies = HeldBodies()
        let scene = try Scene(bodies, patience: .seconds(1))
        try await scene.attempt()
        try await scene.fetch()
        #expect((scene.chosen.moved.direct, scene.chosen.moved.session) == (0, 4))
        #expect(try scene.dialer.way == .session(.stalled))
        try await scene.attempt()
        #expect(scene.questions == 1)
        bodies.release()
        scene.clock.advance(by: .seconds(10))
        try await scene.attempt()
        try await scene.fetch()
        #expect(scene.chosen.moved.direct == 4)
        try await scene.end()
    }

    @Test("a peer that is reached at another address now is not waited for at the old one, and is dialed there at once")
    func moved() async throws {
        let bodies = HeldBodies()
        let scene = try Scene(bodies)
        try await scene.attempt()
        try await withThrowingTaskGroup { group in
            group.addTask { try await scene.fetch() }
            await bodies.untilAsked()
            scene.place.withLock { place in
                place = place.map { .init(addresses: ["127.0.0.2"], session: $0.session, secret: $0.secret) }
            }
            try scene.dialer.networkChanged()
            try await group.waitForAll()
        }
        #expect((scene.chosen.moved.direct, scene.chosen.moved.session) == (0, 4))
        bodies.release()
        scene.place.withLock { place in
            place = place.map { .init(addresses: ["127.0.0.1"], session: $0.session, secret: $0.secret) }
        }
        try await scene.attempt()
        try await scene.fetch()
        #expect((scene.questions, scene.chosen.moved.direct) == (2, 4))
        try await scene.end()
    }

    @Test("a peer that is reached anew at the same address keeps its connection")
    func reachedAnew() async throws {
        let scene = try Scene()
        try await scene.attempt()
        try scene.dialer.networkChanged()
        try await scene.fetch()
        try await scene.attempt()
        #expect((scene.questions, scene.chosen.moved.direct) == (1, 4))
        try await scene.end()
    }

    @Test("a connection carries sixty-four transfers; the next goes through the session, and brings another connection")
    func exhausted() async throws {
        let scene = try Scene()
        try await scene.attempt()
        for _ in 0..<65 { try await scene.fetch() }
        #expect((scene.chosen.moved.direct, scene.chosen.moved.session) == (64 * 4, 4))
        try await scene.attempt()
        #expect(scene.questions == 2)
        try await scene.fetch()
        #expect(scene.chosen.moved.direct == 65 * 4)
        try await scene.end()
    }

    @Test("an idle connection ends, and the next part dials again at once")
    func idle() async throws {
        let scene = try Scene(patience: .seconds(1))
        try await scene.attempt()
        try await scene.fetch()
        while !Task.isCancelled, try scene.dialer.way != .session(nil) { await Task.yield() }
        try await scene.attempt()
        #expect(scene.questions == 2)
        try await scene.fetch()
        #expect(scene.chosen.moved.direct == 8)
        try await scene.end()
    }
}

/// Bodies that are not read before the test says so.
private final class HeldBodies: BulkBodies {
    private let gate = HeldGate()
    private let isAsked = Mutex(false)

    func release() { gate.open() }

    func untilAsked() async { while !Task.isCancelled, !isAsked.withLock(\.self) { await Task.yield() } }

    func write(_ part: ArraySlice<UInt8>, at offset: Int64, of transfer: TransferID, by device: String) throws {
        throw TransferError.ended
    }

    func read(_ count: Int, at offset: Int64, of transfer: TransferID, by device: String) throws -> ArraySlice<UInt8> {
        isAsked.withLock { $0 = true }
        gate.wait()
        return [UInt8](repeating: 0, count: count)[...]
    }
}
