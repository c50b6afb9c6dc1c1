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

@Suite("The audit log", .timeLimit(.minutes(5)))
struct AuditTests {
    private let clock = ManualClock()
    private let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, rights: ["work"])

    private func entry(_ method: String, _ outcome: AuditEntry.Outcome = .done, count: Int = 1) -> AuditEntry {
        AuditEntry(
            caller: caller.id,
            name: caller.name,
            method: method,
            risk: .mutating,
            outcome: outcome,
            date: clock.date,
            count: count
        )
    }

    @Test("who did what is written down with its outcome, reading is not, and no parameter ever is")
    func recorded() async throws {
        let pool = try TemporaryDatabase.inMemory()
        let log = SQLiteAuditLog(pool, time: clock)
        let methods = [
            RemoteMethod("work.read", risk: .safe) { _, _ in [:] },
            RemoteMethod("work.do", risk: .mutating) { _, _ in ["answer": "tell-nobody"] },
            RemoteMethod("work.fail", risk: .privileged) { _, _ in
                throw RemoteFailure(code: -32602, message: "tell-nobody")
            },
            RemoteMethod("secret.do", risk: .privileged) { _, _ in [:] },
        ]
        let router = CommandRouter(
            methods: methods,
            logger: Logger(label: "test"),
            audit: log,
            time: clock
        )
        for (index, method) in ["work.read", "work.do", "work.fail", "secret.do", "work.do", "no.such"].enumerated() {
            let request = CommandRequest(id: "\(index)", method: method, params: ["password": "tell-nobody"])
            _ = await router.answer(request, from: caller)
        }
        _ = await router.answer(CommandRequest(id: "x", method: "work.do"), from: .stranger("did:key:zX"))
        var unsealed = caller
        unsealed.proof = .unsealed
        _ = await router.answer(CommandRequest(id: "y", method: "tell-nobody"), from: unsealed)
        let entries = try await log.entries(after: nil, limit: 100).entries
        let found = Set(
            entries.map { "\($0.method) \($0.risk.rawValue) \($0.outcome.word) \($0.outcome.code ?? 0) \($0.count)" }
        )
        #expect(
            found == [
                "work.do Mutating done 0 2", "work.fail Privileged failed -32602 1",
                "secret.do Privileged refused -32010 1",
                "unknown Safe refused -32008 1",
            ]
        )
        #expect(entries.allSatisfy { $0.caller == caller.id && $0.name == caller.name && $0.date == clock.date })
        let dump = try await pool.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM remoteAudit").map { "\($0)" }.joined()
        }
        #expect(!dump.contains("tell-nobody"))
    }

    @Test("what happens again within a minute is one row, later it is another; pages come newest first")
    func pages() async throws {
        let log = SQLiteAuditLog(try TemporaryDatabase.inMemory(), time: clock)
        for _ in 0..<500 { log.record(entry("terminal.stdin")) }
        #expect(try await log.entries(after: nil, limit: 10).entries == [entry("terminal.stdin", count: 500)])
        clock.advance(by: .seconds(59))
        log.record(entry("terminal.stdin"))
        #expect(try await log.entries(after: nil, limit: 10).entries == [entry("terminal.stdin", count: 501)])
        clock.advance(by: .seconds(1))
        log.record(entry("terminal.stdin"))
        log.record(entry("terminal.stdin", .failed(code: -32603)))
        #expect(try await log.entries(after: nil, limit: 10).entries.map(\.count).sorted() == [1, 1, 501])
        var page: Int64?
        var methods: [String] = []
        for index in 0..<5 {
            clock.advance(by: .seconds(1))
            log.record(entry("m\(index)"))
        }
        repeat {
            let found = try await log.entries(after: page, limit: 2)
            methods += found.entries.map(\.method)
            page = found.next
        } while page != nil
        #expect(methods == ["m4", "m3", "m2", "m1", "m0"] + Array(repeating: "terminal.stdin", count: 3))
    }

    @Test("entries are found by device, by what became of them and by who acted")
    func filters() async throws {
        let log = SQLiteAuditLog(try TemporaryDatabase.inMemory(), time: clock)
        log.record(entry("m0"))
        log.record(entry("m1", .failed(code: -32603)))
        log.record(.owner("devices allow", "did:key:other", name: "Other", detail: nil, date: clock.date))
        func found(_ filter: AuditFilter) async throws -> [String] {
            try await log.entries(after: nil, limit: 10, matching: filter).entries.map(\.method)
        }
        #expect(try await found(AuditFilter(outcome: .failed)) == ["m1"])
        #expect(try await found(AuditFilter(outcome: .done)).sorted() == ["devices allow", "m0"])
        #expect(try await found(AuditFilter(actor: .owner)) == ["devices allow"])
        #expect(try await found(AuditFilter(caller: "did:key:other", outcome: .done)) == ["devices allow"])
        #expect(try await found(AuditFilter(caller: "did:key:other", actor: .phone)) == [])
    }

    @Test("the oldest rows go, and refusals never push out what was done")
    func bounds() async throws {
        let pool = try TemporaryDatabase.inMemory()
        let log = SQLiteAuditLog(pool, time: clock)
        for index in 0..<(SQLiteAuditLog.doneLimit + 1000) {
            log.record(entry("m\(index)"))
            if index % 1000 == 999 { _ = try await log.entries(after: nil, limit: 1) }
        }
        for index in 0..<(SQLiteAuditLog.refusedLimit + 1000) {
            log.record(entry("r\(index)", .refused(code: -32010)))
            if index % 1000 == 999 { _ = try await log.entries(after: nil, limit: 1) }
        }
        func count(_ outcome: String) async throws -> Int? {
            try await pool.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM remoteAudit WHERE outcome = ?", arguments: [outcome])
            }
        }
        #expect(try await count("done") == SQLiteAuditLog.doneLimit)
        #expect(try await count("refused") == SQLiteAuditLog.refusedLimit)
    }

    @Test("the owner's acts have a share of their own, which nothing that phones do can push out")
    func ownersShare() async throws {
        let log = SQLiteAuditLog(try TemporaryDatabase.inMemory(), time: clock)
        let allow = AuditEntry.owner(
            "devices allow",
            caller.id,
            name: "Ada's phone",
            detail: "terminal",
            date: clock.date
        )
        try await log.admit(allow)
        for index in 0..<(SQLiteAuditLog.doneLimit + 500) {
            log.record(entry("m\(index)"))
            if index % 1000 == 999 { _ = try await log.entries(after: nil, limit: 1) }
        }
        var page: Int64?
        var owners: [AuditEntry] = []
        repeat {
            let found = try await log.entries(after: page, limit: 500)
            owners += found.entries.filter { $0.actor == .owner }
            page = found.next
        } while page != nil
        #expect(owners == [allow])
    }

    @Test("a privileged command stands in the log before it is done, and is one row with what came of it")
    func admitted() async throws {
        let pool = try TemporaryDatabase.inMemory()
        let log = SQLiteAuditLog(pool, time: clock)
        let rowsBefore = Mutex<[String]>([])
        let method = RemoteMethod("work.run", risk: .privileged) { _, _ in
            let rows = try await pool.read { try String.fetchAll($0, sql: "SELECT outcome FROM remoteAudit") }
            rowsBefore.withLock { $0 = rows }
            return [:]
        }
        let router = CommandRouter(
            methods: [method],
            logger: Logger(label: "test"),
            audit: log,
            time: clock
        )
        _ = await router.answer(CommandRequest(id: "1", method: "work.run"), from: caller)
        #expect(rowsBefore.withLock(\.self) == ["begun"])
        let entries = try await log.entries(after: nil, limit: 10).entries
        #expect(entries.map(\.outcome) == [.done])
        #expect(entries.map(\.count) == [1])
    }

    @Test("what begins hundreds of times at once is written down once, and all of it may begin")
    func together() async throws {
        let log = SQLiteAuditLog(try TemporaryDatabase.inMemory(), time: clock)
        let begun = entry("work.do", .begun)
        try await withThrowingTaskGroup { group in
            for _ in 0..<2048 { group.addTask { try await log.admit(begun) } }
            try await group.waitForAll()
        }
        #expect(try await log.entries(after: nil, limit: 10).entries.map(\.count) == [1])
    }

    @Test("what cannot be logged is not done when it is privileged, and says so in a sentence")
    func fullDisk() async throws {
        let ran = Mutex<[String]>([])
        let methods = [("work.run", Risk.privileged), ("work.read", .safe)].map { name, risk in
            RemoteMethod(name, risk: risk) { _, _ in
                ran.withLock { $0.append(name) }
                return [:]
            }
        }
        let router = CommandRouter(methods: methods, logger: Logger(label: "test"), audit: FullAuditLog())
        let response = await router.answer(CommandRequest(id: "1", method: "work.run"), from: caller)
        guard case .failure(let failure) = response.outcome else {
            Issue.record("it was done")
            return
        }
        #expect(failure.message.contains("did nothing. The disk is full"))
        #expect(!failure.message.contains("SQLite"))
        _ = await router.answer(CommandRequest(id: "2", method: "work.read"), from: caller)
        #expect(ran.withLock(\.self) == ["work.read"])
    }

    @Test("closing writes what waits, without waiting for the clock")
    func closing() async throws {
        let database = try TemporaryDatabase()
        defer { database.remove() }
        let log = SQLiteAuditLog(try database.open(), time: clock)
        log.record(entry("work.do"))
        await log.close()
        let again = SQLiteAuditLog(try database.open(), time: clock)
        #expect(try await again.entries(after: nil, limit: 10).entries == [entry("work.do")])
    }

    @Test("closing ends although the disk takes nothing")
    func closingWithoutRoom() async throws {
        let pool = try TemporaryDatabase.inMemory()
        let log = SQLiteAuditLog(
            pool,
            time: clock,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        try await pool.write {
            try $0.execute(
                sql: "CREATE TRIGGER full BEFORE INSERT ON remoteAudit BEGIN SELECT RAISE(ABORT, 'full'); END"
            )
        }
        log.record(entry("work.do"))
        await log.close()
        #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM remoteAudit") } == 0)
    }

    @Test("an entry's JSON has the names that the command line prints")
    func json() throws {
        #expect(
            try JSONValue(encoding: entry("work.do", .failed(code: -32603)))
                == [
                    "device": "did:key:z6MkA", "name": "Ada's phone", "method": "work.do", "risk": "Mutating",
                    "outcome": "failed", "code": -32603, "reason": "it failed at this computer", "count": 1,
                    "by": "phone",
                    "at": .integer(clock.date.millisecondsSince1970),
                ]
        )
        #expect(try JSONValue(encoding: entry("work.do"))["code"] == nil)
        #expect(try JSONValue(encoding: AuditPage(entries: [], next: nil)) == ["entries": [], "next": .null])
    }
}
