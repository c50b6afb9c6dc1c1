import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Testing

@testable import Remote

@Suite("The audit log", .timeLimit(.minutes(5)))
struct AuditTests {
    private let clock = ManualClock()
    private let caller = Caller(id: "did:key:z6MkA", name: "Ada's phone", proof: .session, allowedSkills: ["work"])

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
        let database = try TemporaryDatabase()
        defer { database.remove() }
        let pool = try database.open()
        let log = try SQLiteAuditLog(pool, clock: clock)
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
            date: { [clock] in clock.date },
            now: { [clock] in clock.now }
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
        let database = try TemporaryDatabase()
        defer { database.remove() }
        let log = try SQLiteAuditLog(database.open(), clock: clock)
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

    @Test("the oldest rows go, and refusals never push out what was done")
    func bounds() async throws {
        let database = try TemporaryDatabase()
        defer { database.remove() }
        let pool = try database.open()
        let log = try SQLiteAuditLog(pool, clock: clock)
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

    @Test("closing writes what waits, without waiting for the clock")
    func closing() async throws {
        let database = try TemporaryDatabase()
        defer { database.remove() }
        let log = try SQLiteAuditLog(database.open(), clock: clock)
        log.record(entry("work.do"))
        await log.close()
        let again = try SQLiteAuditLog(database.open(), clock: clock)
        #expect(try await again.entries(after: nil, limit: 10).entries == [entry("work.do")])
    }

    @Test("an entry's JSON has the names that the command line prints")
    func json() {
        #expect(
            entry("work.do", .failed(code: -32603)).json
                == [
                    "device": "did:key:z6MkA", "name": "Ada's phone", "method": "work.do", "risk": "Mutating",
                    "outcome": "failed", "code": -32603, "count": 1,
                    "at": .integer(clock.date.millisecondsSince1970),
                ]
        )
        #expect(entry("work.do").json["code"] == nil)
    }
}
