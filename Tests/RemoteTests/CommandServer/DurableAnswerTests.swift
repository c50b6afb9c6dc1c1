import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Rights
import Synchronization
import Testing

@testable import CommandServer
@testable import Commands

@Suite("Durable commands", .timeLimit(.minutes(5)))
struct DurableAnswerTests {
    private let clock = ManualClock()
    private let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, rights: ["count"])
    private let runs = Counter()

    private func router(_ answers: (any AnswerStore)?, failing: Set<Int64> = []) -> CommandRouter {
        let runs = runs
        let methods = [Risk.safe, .mutating].map { risk in
            RemoteMethod("count.\(risk.rawValue)", risk: risk) { _, _ in
                let number = runs.next()
                if failing.contains(number) { throw RemoteFailure(code: -32005, message: "busy") }
                return .integer(number)
            }
        }
        return CommandRouter(
            methods: methods,
            logger: Logger(label: "test"),
            answers: answers,
            time: clock
        )
    }

    private func request(_ id: String = "q1", method: String = "count.Mutating", isDurable: Bool = true)
        -> CommandRequest
    {
        CommandRequest(id: id, method: method, isDurable: isDurable)
    }

    @Test("a repeat is answered from disk, half a minute and a restart later")
    func restart() async throws {
        let database = try TemporaryDatabase()
        defer { database.remove() }
        let first = router(SQLiteAnswerStore(try database.open()))
        #expect(await first.answer(request(), from: caller).outcome == .success(1))
        clock.advance(by: .seconds(31))
        #expect(await first.answer(request(), from: caller).outcome == .success(1))
        let second = router(SQLiteAnswerStore(try database.open()))
        #expect(await second.answer(request(), from: caller).outcome == .success(1))
        #expect(await second.answer(request("q2"), from: caller).outcome == .success(2))
        #expect(runs.count == 2)
    }

    @Test("a command that the desktop did not live to finish is not done again: its outcome is unknown")
    func crash() async throws {
        let database = try TemporaryDatabase()
        defer { database.remove() }
        let before = SQLiteAnswerStore(try database.open())
        #expect(try await before.begin("q1", of: "count.Mutating", from: caller.id, now: clock.date) == nil)
        let router = router(SQLiteAnswerStore(try database.open()))
        for _ in 0..<2 {
            guard case .failure(let failure) = await router.answer(request(), from: caller).outcome else {
                Issue.record("it was done")
                return
            }
            #expect(failure.code == -32011)
        }
        #expect(runs.count == 0)
        let other = Caller(id: "did:key:z6MkB", name: "Bo", proof: .session, rights: ["count"])
        #expect(await router.answer(request(), from: other).outcome == .success(1))
    }

    @Test("a failed try is over: the next one with the same id runs")
    func failure() async throws {
        let router = router(SQLiteAnswerStore(try TemporaryDatabase.inMemory()), failing: [1])
        #expect(
            await router.answer(request(), from: caller).outcome
                == .failure(RemoteFailure(code: -32005, message: "busy"))
        )
        #expect(await router.answer(request(), from: caller).outcome == .success(2))
    }

    @Test("what only reads, is not marked or comes in the clear is not kept on disk")
    func notKept() async throws {
        let pool = try TemporaryDatabase.inMemory()
        let router = router(SQLiteAnswerStore(pool))
        _ = await router.answer(request("a", method: "count.Safe"), from: caller)
        _ = await router.answer(request("b", isDurable: false), from: caller)
        var clear = caller
        clear.proof = .clear
        _ = await router.answer(request("c"), from: clear)
        #expect(runs.count == 3)
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM remoteAnswer") } == 0)
    }

    @Test("what may not be done is not begun")
    func refused() async throws {
        let router = router(SQLiteAnswerStore(try TemporaryDatabase.inMemory()))
        var untrusted = caller
        untrusted.rights = []
        guard case .failure = await router.answer(request(), from: untrusted).outcome else {
            Issue.record("it was done")
            return
        }
        #expect(await router.answer(request(), from: caller).outcome == .success(1))
    }

    @Test("a store that cannot write keeps the command from running")
    func broken() async throws {
        struct Broken: AnswerStore {
            struct Full: Error {}
            func begin(_ id: String, of method: String, from caller: String, now: Date) throws -> KnownCommand? {
                throw Full()
            }
            func finish(_ id: String, from caller: String, with response: CommandResponse) throws { throw Full() }
            func forget(_ id: String, from caller: String) throws { throw Full() }
        }
        guard case .failure(let failure) = await router(Broken()).answer(request(), from: caller).outcome else {
            Issue.record("it was done")
            return
        }
        #expect(failure.code == -32603)
        #expect(runs.count == 0)
    }

    @Test("the last thousand of an asker are kept, for seven days; others' are not touched")
    func bounds() async throws {
        let pool = try TemporaryDatabase.inMemory()
        // The disk's promise is tested elsewhere, and a thousand syncs are slow.
        try await pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        let store = SQLiteAnswerStore(pool)
        #expect(try await store.begin("other", of: "m", from: "b", now: clock.date) == nil)
        for index in 0...1000 { #expect(try await store.begin("\(index)", of: "m", from: "a", now: clock.date) == nil) }
        #expect(try await store.begin("1", of: "m", from: "a", now: clock.date) == .begun)
        #expect(try await store.begin("other", of: "m", from: "b", now: clock.date) == .begun)
        #expect(try await store.begin("0", of: "m", from: "a", now: clock.date) == nil)
        let week = clock.date.addingTimeInterval(7 * 24 * 3600)
        #expect(try await store.begin("1000", of: "m", from: "a", now: week) == .begun)
        #expect(try await store.begin("1000", of: "m", from: "a", now: week.addingTimeInterval(1)) == nil)
    }

    @Test("a very large answer is done and kept as dropped")
    func large() async throws {
        let store = SQLiteAnswerStore(try TemporaryDatabase.inMemory())
        #expect(try await store.begin("1", of: "m", from: "a", now: clock.date) == nil)
        let huge = CommandResponse(id: "1", outcome: .success(.string(String(repeating: "x", count: 70_000))))
        try await store.finish("1", from: "a", with: huge)
        let kept = CommandResponse(id: "1", outcome: .success(["answerDropped": true]))
        #expect(try await store.begin("1", of: "m", from: "a", now: clock.date) == .answered(kept))
    }

    @Test("the mark travels in the documented envelope, and only when it is set")
    func wire() throws {
        let envelope = request().envelope(mobileDID: "did:key:z6MkA")
        #expect(envelope["payload"]?["durable"] == true)
        #expect(try CommandRequest(envelope: envelope).isDurable)
        let plain = request(isDurable: false).envelope(mobileDID: "did:key:z6MkA")
        #expect(plain["payload"]?["durable"] == nil)
        #expect(try CommandRequest(envelope: plain).isDurable == false)
    }
}
