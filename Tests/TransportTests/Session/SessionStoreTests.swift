import Foundation
import GRDB
import Sealing
import Storage
import Testing

@testable import Transport

@Suite("Session stores", .timeLimit(.minutes(4)))
struct SessionStoreTests {
    enum Kind: CaseIterable, Sendable {
        case memory, database

        func make() throws -> any SessionStore {
            switch self {
            case .memory: InMemorySessionStore()
            case .database: SQLiteSessionStore(try StateDatabase.inMemory(schema: [SQLiteSessionStore.migrations]))
            }
        }
    }

    private let peer = Identity().agreementKey
    private let other = Identity().agreementKey

    @Test("a ticket is found by peer and by id, and replaced by the next", arguments: Kind.allCases)
    func tickets(kind: Kind) async throws {
        let store = try kind.make()
        let first = ResumptionTicket(peer: peer, id: [1], secret: [2])
        let second = ResumptionTicket(peer: peer, id: [3], secret: [4])
        #expect(try await store.ticket(for: peer) == nil)
        try await store.save(first)
        try await store.save(second)
        #expect(try await store.ticket(for: peer) == second)
        #expect(try await store.ticket(id: [3]) == second)
        #expect(try await store.ticket(id: [1]) == nil)
        #expect(try await store.ticket(for: other) == nil)
    }

    @Test("a counter is the clock's, and never the same or less again", arguments: Kind.allCases)
    func ownCounters(kind: Kind) async throws {
        let store = try kind.make()
        #expect(try await store.nextCounter(to: peer, clock: 100) == 100)
        #expect(try await store.nextCounter(to: peer, clock: 100) == 101)
        #expect(try await store.nextCounter(to: peer, clock: 50) == 102)
        #expect(try await store.nextCounter(to: peer, clock: 200) == 200)
        #expect(try await store.nextCounter(to: other, clock: 7) == 7)
    }

    @Test("a peer's counter is accepted once, and only if it is the greatest", arguments: Kind.allCases)
    func peerCounters(kind: Kind) async throws {
        let store = try kind.make()
        #expect(try await store.acceptCounter(10, from: peer))
        #expect(try await !store.acceptCounter(10, from: peer))
        #expect(try await !store.acceptCounter(9, from: peer))
        #expect(try await store.acceptCounter(11, from: peer))
        #expect(try await store.acceptCounter(1, from: other))
        #expect(try await !store.acceptCounter(0, from: other))
        #expect(try await !store.acceptCounter(-1, from: Identity().agreementKey))
    }

    @Test("numbers of durable messages are never used twice, also when the outbox was empty", arguments: Kind.allCases)
    func outbox(kind: Kind) async throws {
        let store = try kind.make()
        #expect(try await store.appendOutbound([1], to: peer) == 1)
        #expect(try await store.appendOutbound([2], to: peer) == 2)
        #expect(try await store.appendOutbound([9], to: other) == 1)
        #expect(
            try await store.outbound(to: peer)
                == [DurableMessage(number: 1, bytes: [1]), DurableMessage(number: 2, bytes: [2])]
        )
        try await store.removeOutbound(through: 2, to: peer)
        #expect(try await store.outbound(to: peer) == [])
        #expect(try await store.appendOutbound([3], to: peer) == 3)
        #expect(try await store.outbound(to: other).map(\.number) == [1])
    }

    @Test("the cursor only moves on", arguments: Kind.allCases)
    func cursor(kind: Kind) async throws {
        let store = try kind.make()
        #expect(try await store.inboundCursor(from: peer) == 0)
        try await store.advanceInboundCursor(to: 5, from: peer)
        try await store.advanceInboundCursor(to: 3, from: peer)
        #expect(try await store.inboundCursor(from: peer) == 5)
    }

    @Test("nothing is left of a peer that is forgotten", arguments: Kind.allCases)
    func forget(kind: Kind) async throws {
        let store = try kind.make()
        try await store.save(ResumptionTicket(peer: peer, id: [1], secret: [2]))
        _ = try await store.appendOutbound([1], to: peer)
        try await store.advanceInboundCursor(to: 5, from: peer)
        _ = try await store.acceptCounter(10, from: peer)
        try await store.forget(peer)
        #expect(try await store.ticket(for: peer) == nil)
        #expect(try await store.outbound(to: peer) == [])
        #expect(try await store.inboundCursor(from: peer) == 0)
        #expect(try await store.acceptCounter(10, from: peer))
    }

    @Test("with a peer that is started over with, only what it counts begins anew", arguments: Kind.allCases)
    func startOver(kind: Kind) async throws {
        let store = try kind.make()
        try await store.startOver(with: peer)
        try await store.save(ResumptionTicket(peer: peer, id: [1], secret: [2]))
        _ = try await store.appendOutbound([1], to: peer)
        try await store.advanceInboundCursor(to: 5, from: peer)
        // By a clock that was ahead then.
        #expect(try await store.nextCounter(to: peer, clock: 1000) == 1000)
        try await store.startOver(with: peer)
        #expect(try await store.ticket(for: peer) == nil)
        #expect(try await store.ticket(id: [1]) == nil)
        #expect(try await store.inboundCursor(from: peer) == 0)
        #expect(try await store.outbound(to: peer) == [DurableMessage(number: 1, bytes: [1])])
        #expect(try await store.nextCounter(to: peer, clock: 10) == 1001)
    }

    @Test("a database that is opened again still holds it all")
    func reopened() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite")
        // Files left behind harm nothing.
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + end) } }
        let ticket = ResumptionTicket(peer: peer, id: [1], secret: [2])
        do {
            let store = SQLiteSessionStore(try StateDatabase.open(file, schema: [SQLiteSessionStore.migrations]))
            try await store.save(ticket)
            _ = try await store.appendOutbound([7], to: peer)
            try await store.advanceInboundCursor(to: 5, from: peer)
        }
        let store = SQLiteSessionStore(try StateDatabase.open(file, schema: [SQLiteSessionStore.migrations]))
        #expect(try await store.ticket(for: peer) == ticket)
        #expect(try await store.outbound(to: peer) == [DurableMessage(number: 1, bytes: [7])])
        #expect(try await store.inboundCursor(from: peer) == 5)
    }
}
