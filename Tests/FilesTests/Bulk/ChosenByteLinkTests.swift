import Synchronization
import Testing

@testable import Transfers

/// A way that counts its parts and fails as it is told.
final class ScriptedLink: ByteLink {
    let partSize: Int
    private let failure: (any Error)?
    private let count = Mutex(0)

    init(partSize: Int, failure: (any Error)? = nil) {
        self.partSize = partSize
        self.failure = failure
    }

    var parts: Int { count.withLock { $0 } }

    func send(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        reading read: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        try pass()
    }

    func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws {
        try pass()
    }

    private func pass() throws {
        count.withLock { $0 += 1 }
        if let failure { throw failure }
    }
}

/// A way whose parts are under way until the test lets them through.
private final class HeldLink: ByteLink {
    private struct State {
        var held: [CheckedContinuation<Void, Never>] = []
        var most = 0
        var isOpen = false
    }

    let partSize = 512 << 10
    private let state = Mutex(State())

    var underWay: Int { state.withLock { $0.held.count } }
    /// Parts that were under way at a time.
    var most: Int { state.withLock(\.most) }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for part in held { part.resume() }
    }

    func send(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        reading read: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        await pass()
    }

    func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws {
        await pass()
    }

    private func pass() async {
        await withCheckedContinuation { part in
            let goesOn = state.withLock { state in
                guard !state.isOpen else { return true }
                state.held.append(part)
                state.most = max(state.most, state.held.count)
                return false
            }
            if goesOn { part.resume() }
        }
    }
}

@Suite("The way that a part takes", .timeLimit(.minutes(1)))
struct ChosenByteLinkTests {
    private let session = ScriptedLink(partSize: 512 << 10)

    @Test("parts go over the connection while there is one")
    func direct() async throws {
        let bulk = ScriptedLink(partSize: 1 << 20)
        let link = ChosenByteLink(session: session)
        try await link.fetch(1, at: 0, of: TransferID()) { _, _ in }
        link.use(bulk)
        try await link.fetch(1, at: 0, of: TransferID()) { _, _ in }
        link.leave(session)
        try await link.fetch(1, at: 0, of: TransferID()) { _, _ in }
        link.leave(bulk)
        try await link.fetch(1, at: 0, of: TransferID()) { _, _ in }
        #expect(bulk.parts == 2)
        #expect(session.parts == 2)
        #expect((link.moved.direct, link.moved.session) == (2, 2))
        #expect(link.partSize == 512 << 10)
    }

    @Test("a part whose connection fails goes through the session, and so do the next")
    func fallback() async throws {
        let bulk = ScriptedLink(partSize: 1 << 20, failure: BulkError.stalled)
        let link = ChosenByteLink(session: session)
        link.use(bulk)
        for _ in 0..<2 { try await link.fetch(1, at: 0, of: TransferID()) { _, _ in } }
        #expect(bulk.parts == 1)
        #expect(session.parts == 2)
    }

    @Test("what goes through the session keeps to the session's window, and what goes directly waits for none of it")
    func sessionWindow() async throws {
        let held = HeldLink()
        let bulk = ScriptedLink(partSize: 1 << 20)
        let link = ChosenByteLink(session: held, window: ByteWindow(size: 2))
        try await withThrowingTaskGroup { group in
            for offset in 0..<3 {
                group.addTask { try await link.fetch(1, at: Int64(offset), of: TransferID()) { _, _ in } }
            }
            while !Task.isCancelled, held.underWay < 2 { await Task.yield() }
            link.use(bulk)
            // Waited for here, while the session's window is full.
            for offset in 0..<3 { try await link.fetch(1, at: Int64(offset), of: TransferID()) { _, _ in } }
            #expect(bulk.parts == 3)
            link.leave(bulk)
            #expect(held.most == 2)
            held.open()
            try await group.waitForAll()
        }
        #expect((link.moved.direct, link.moved.session) == (3, 3))
    }

    @Test("the window of all parts holds the session's, and its parts are whole ones")
    func windows() {
        #expect(BulkLimits.window >= TransferFrame.window)
        #expect(BulkLimits.window.isMultiple(of: TransferFrame.dataLimit))
    }

    @Test("a refusal by the computer is not asked for again another way")
    func refusal() async {
        let bulk = ScriptedLink(partSize: 1 << 20, failure: TransferError.ended)
        let link = ChosenByteLink(session: session)
        link.use(bulk)
        await #expect(throws: TransferError.ended) { try await link.fetch(1, at: 0, of: TransferID()) { _, _ in } }
        #expect(session.parts == 0)
    }

    @Test("an address that failed is left alone for five minutes, or until the network is another")
    func dialing() {
        var rule = DialingRule()
        let now = ContinuousClock.now
        rule.failed("192.0.2.1", now: now)
        #expect(!rule.allows("192.0.2.1", now: now + .seconds(299)))
        #expect(rule.allows("192.0.2.1", now: now + .seconds(300)))
        #expect(rule.allows("192.0.2.2", now: now))
        rule.networkChanged()
        #expect(rule.allows("192.0.2.1", now: now))
    }

    @Test("of many addresses that failed the first is forgotten")
    func manyAddresses() {
        var rule = DialingRule()
        let now = ContinuousClock.now
        for number in 0...16 { rule.failed("192.0.2.\(number)", now: now + .seconds(number)) }
        #expect(rule.allows("192.0.2.0", now: now + .seconds(17)))
        #expect(!rule.allows("192.0.2.1", now: now + .seconds(17)))
    }
}
