import Commands
import Foundation
package import GRDB
package import Kernel
package import Logging
import Rights
package import Storage
import Synchronization

/// The audit log in the desktop's database. Entries wait in memory for a second at most and are written together; what happens again
/// within a minute is counted in the same row, so that typing in a terminal does not push out everything else.
package final class SQLiteAuditLog: AuditLog {
    /// Rows kept. Refusals have a share of their own: a device that is refused a lot must not push out what was done. So have the
    /// owner's acts, which nothing that phones do can push out.
    static let doneLimit = 8000
    static let refusedLimit = 2000
    static let ownerLimit = 2000
    static let pageLimit = 500
    private static let waitingLimit = 1024
    private static let sameRowMilliseconds: Int64 = 60_000
    /// Seconds for which one row stands for a command that comes again and again, such as keystrokes.
    private static let admissionLifetime: TimeInterval = 60

    private struct Key: Hashable {
        let actor: AuditEntry.Actor
        let caller: String
        let method: String
        let outcome: AuditEntry.Outcome
        let detail: String?

        init(_ entry: AuditEntry) {
            actor = entry.actor
            caller = entry.caller
            method = entry.method
            outcome = entry.outcome
            detail = entry.detail
        }
    }

    private struct State {
        var waiting: [Key: AuditEntry] = [:]
        var lost = 0
        /// When a row that tells of it was written last.
        var admitted: [Key: Date] = [:]
        /// The rows that are being written: the frames of a transfer come by hundreds, and one row stands for them all.
        var admitting: [Key: Task<Void, any Error>] = [:]
        var writer: Task<Void, Never>?

        mutating func add(_ entry: AuditEntry) {
            let key = Key(entry)
            if let earlier = waiting[key] {
                waiting[key]?.count = earlier.count + entry.count
                waiting[key]?.date = max(earlier.date, entry.date)
            } else if waiting.count < waitingLimit {
                waiting[key] = entry
            } else {
                lost += 1
            }
        }
    }

    private let database: any DatabaseWriter
    private let writer: GroupWriter<[AuditEntry], Void>
    private let logger: Logger
    private let time: any TimeSource
    private let delay: Duration
    private let state = Mutex(State())

    package static let migrations = [
        Migration(
            "remote-audit-1",
            sql: """
                CREATE TABLE remoteAudit (
                    id INTEGER PRIMARY KEY AUTOINCREMENT, caller TEXT NOT NULL, name TEXT NOT NULL, method TEXT NOT NULL,
                    risk TEXT NOT NULL, outcome TEXT NOT NULL, code INTEGER, firstAt INTEGER NOT NULL,
                    lastAt INTEGER NOT NULL, count INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX remoteAuditByOutcome ON remoteAudit (outcome, id);
                CREATE INDEX remoteAuditByCall ON remoteAudit (caller, method, outcome, id);
                """
        ),
        Migration(
            "remote-audit-2",
            sql: """
                ALTER TABLE remoteAudit ADD COLUMN actor TEXT NOT NULL DEFAULT 'phone';
                ALTER TABLE remoteAudit ADD COLUMN detail TEXT;
                CREATE INDEX remoteAuditByActor ON remoteAudit (actor, id);
                """
        ),
    ]

    /// - Parameter database: The role's database, with these ``migrations``.
    package init(
        _ database: any DatabaseWriter,
        delay: Duration = .seconds(1),
        time: any TimeSource = .system,
        logger: Logger = Logger(label: "tandem.remote.audit")
    ) {
        self.database = database
        writer = GroupWriter(
            database,
            capacity: Self.waitingLimit,
            apply: { entries, database in for entry in entries { try Self.insert(entry, into: database) } },
            finish: { try Self.trim($0) }
        )
        self.delay = delay
        self.time = time
        self.logger = logger
    }

    package func record(_ entry: AuditEntry) {
        state.withLock { state in
            state.add(entry)
            // Ends by itself after the write; `close()` waits for it.
            if state.writer == nil { state.writer = Task { await self.writeLater() } }
        }
    }

    package func admit(_ entry: AuditEntry) async throws {
        // Each of the owner's acts has a row of its own.
        guard entry.actor == .phone else { return try await writer.write([entry]) }
        let key = Key(entry)
        let admission: Task<Void, any Error>? = state.withLock { state in
            if let at = state.admitted[key], abs(entry.date.timeIntervalSince(at)) < Self.admissionLifetime {
                return nil
            }
            if let admission = state.admitting[key] { return admission }
            // It ends by itself, and every caller that it is for waits for it.
            let admission = Task { try await write(entry, for: key) }
            state.admitting[key] = admission
            return admission
        }
        try await admission?.value
    }

    private func write(_ entry: AuditEntry, for key: Key) async throws {
        defer { state.withLock { $0.admitting[key] = nil } }
        try await writer.write([entry])
        state.withLock { state in
            if state.admitted.count >= Self.waitingLimit { state.admitted = [:] }
            state.admitted[key] = entry.date
        }
    }

    package func entries(after page: Int64?, limit: Int, matching filter: AuditFilter) async throws -> AuditPage {
        try await write()
        let limit = min(max(1, limit), Self.pageLimit)
        return try await database.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM remoteAudit WHERE id < :before AND caller = ifnull(:caller, caller)
                    AND outcome = ifnull(:outcome, outcome) AND actor = ifnull(:actor, actor) ORDER BY id DESC LIMIT :limit
                    """,
                arguments: [
                    "before": page ?? .max, "caller": filter.caller, "outcome": filter.outcome?.rawValue,
                    "actor": filter.actor?.rawValue, "limit": limit,
                ]
            )
            return AuditPage(
                entries: rows.compactMap(AuditEntry.init),
                next: rows.count == limit ? rows.last?["id"] : nil
            )
        }
    }

    /// Writes what waits: for the end of the process.
    package func close() async {
        let writer = state.withLock(\.writer)
        writer?.cancel()
        await writer?.value
    }

    private func writeLater() async {
        var isFinished = false
        while !isFinished {
            // Cancelled means close: then it is written now.
            try? await time.sleep(for: delay)
            var isLast = false
            do {
                try await write()
            } catch {
                logger.error("audit log not written", metadata: ["reason": "\(error)"])
                // The process ends, and a disk that takes nothing must not hold it up.
                isLast = Task.isCancelled
            }
            isFinished = state.withLock { [isLast] state in
                guard isLast || state.waiting.isEmpty else { return false }
                state.writer = nil
                return true
            }
        }
    }

    private func write() async throws {
        let (entries, lost) = state.withLock { state in
            defer {
                state.waiting = [:]
                state.lost = 0
            }
            return (state.waiting.values.sorted { $0.date < $1.date }, state.lost)
        }
        if lost > 0 { logger.warning("audit entries lost in a flood", metadata: ["count": "\(lost)"]) }
        guard !entries.isEmpty else { return }
        do {
            try await writer.write(entries)
        } catch {
            state.withLock { state in
                for entry in entries { state.add(entry) }
                // The next privileged command finds out whether anything can be written.
                state.admitted = [:]
            }
            throw error
        }
    }

    private static func insert(_ entry: AuditEntry, into database: Database) throws {
        if entry.actor == .phone, try isCounted(entry, in: database) { return }
        let time = entry.date.millisecondsSince1970
        try database.execute(
            sql: """
                INSERT INTO remoteAudit
                    (caller, name, method, risk, outcome, code, firstAt, lastAt, count, actor, detail)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.caller, entry.name, entry.method, entry.risk.rawValue, entry.outcome.word, entry.outcome.code,
                time, time, entry.count, entry.actor.rawValue, entry.detail,
            ]
        )
    }

    /// Whether a row that is there tells of it now: the same within a minute, or the beginning of what has ended.
    private static func isCounted(_ entry: AuditEntry, in database: Database) throws -> Bool {
        let time = entry.date.millisecondsSince1970
        if entry.outcome != .begun {
            try database.execute(
                sql: """
                    UPDATE remoteAudit SET outcome = ?, code = ?, count = ?, lastAt = max(lastAt, ?), name = ? WHERE id = (
                        SELECT max(id) FROM remoteAudit WHERE caller = ? AND method = ? AND outcome = 'begun'
                    ) AND firstAt > ?
                    """,
                arguments: [
                    entry.outcome.word, entry.outcome.code, entry.count, time, entry.name, entry.caller, entry.method,
                    time - sameRowMilliseconds,
                ]
            )
            if database.changesCount > 0 { return true }
        }
        try database.execute(
            sql: """
                UPDATE remoteAudit SET count = count + ?, lastAt = max(lastAt, ?), name = ? WHERE id = (
                    SELECT max(id) FROM remoteAudit
                    WHERE caller = ? AND method = ? AND outcome = ? AND code IS ? AND actor = 'phone'
                ) AND firstAt > ?
                """,
            arguments: [
                entry.count, time, entry.name, entry.caller, entry.method, entry.outcome.word, entry.outcome.code,
                time - sameRowMilliseconds,
            ]
        )
        return database.changesCount > 0
    }

    private static func trim(_ database: Database) throws {
        let shares = [
            ("actor = 'phone' AND outcome = 'refused'", refusedLimit),
            ("actor = 'phone' AND outcome <> 'refused'", doneLimit), ("actor = 'owner'", ownerLimit),
        ]
        for (condition, limit) in shares {
            try database.execute(
                sql: """
                    DELETE FROM remoteAudit WHERE \(condition) AND id <= (
                        SELECT id FROM remoteAudit WHERE \(condition) ORDER BY id DESC LIMIT 1 OFFSET ?
                    )
                    """,
                arguments: [limit]
            )
        }
    }
}

extension AuditEntry {
    /// Nil for a row that something damaged.
    fileprivate init?(_ row: Row) {
        guard let risk = (row["risk"] as String?).flatMap(Risk.init(rawValue:)), let word = row["outcome"] as String?,
            let outcome = Outcome(word: word, code: row["code"]),
            let actor = (row["actor"] as String?).flatMap(Actor.init(rawValue:))
        else { return nil }
        self.init(
            actor: actor,
            caller: row["caller"],
            name: row["name"],
            method: row["method"],
            risk: risk,
            outcome: outcome,
            date: Date(millisecondsSince1970: row["lastAt"]),
            count: row["count"],
            detail: row["detail"]
        )
    }
}
