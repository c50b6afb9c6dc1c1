import Accounts
import Chat
import GRDB
import Storage

/// What an app's backend is still to be told, in the transactions in which it happened.
enum OutboxTable {
    /// Entries that wait. What comes beyond it is counted, and never told.
    static let limit: Int64 = 100_000

    static let migrations = [
        Migration(
            "chat-outbox-1",
            sql: """
                CREATE TABLE chat_outbox (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    -- A conversation's row; of a signal 0 less the person's number.
                    lane INTEGER NOT NULL,
                    -- See OutboxEntry.Kind.
                    kind INTEGER NOT NULL,
                    seq INTEGER NOT NULL DEFAULT 0,
                    person INTEGER NOT NULL DEFAULT 0,
                    number INTEGER NOT NULL DEFAULT 0,
                    at INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX chat_outbox_lane ON chat_outbox (lane, id);
                CREATE TABLE chat_outbox_loss (id INTEGER PRIMARY KEY CHECK (id = 1), count INTEGER NOT NULL) STRICT;
                INSERT INTO chat_outbox_loss VALUES (1, 0);
                """
        )
    ]

    static func add(
        _ kind: OutboxEntry.Kind,
        lane: Int64,
        seq: Int64 = 0,
        person: UserID,
        number: Int64 = 0,
        at now: Int64,
        in database: Database
    ) throws {
        // Each of the two alone is found at an end of the table; together they would be looked for in all of it.
        let first: Int64? = try database.value("SELECT min(id) FROM chat_outbox")
        let last: Int64? = try database.value("SELECT max(id) FROM chat_outbox")
        if let first, let last, last - first + 1 >= limit { return try lose(1, in: database) }
        let statement = try database.cachedStatement(
            sql: "INSERT INTO chat_outbox (lane, kind, seq, person, number, at) VALUES (?, ?, ?, ?, ?, ?)"
        )
        try statement.execute(arguments: [lane, kind.rawValue, seq, person.number, number, now])
    }

    /// The first of each lane, the oldest first.
    ///
    /// - Parameter lanes: Lanes that have to wait.
    static func heads(without lanes: Set<Int64>, limit: Int, in database: Database) throws -> [OutboxEntry] {
        let heads = try database.rows("SELECT lane, min(id) AS id FROM chat_outbox GROUP BY lane")
        let ids = heads.filter { !lanes.contains($0["lane"]) }.map { $0["id"] as Int64 }.sorted().prefix(limit)
        return try ids.compactMap { id in
            let row = try database.row(
                """
                SELECT o.*, c.low, c.high FROM chat_outbox o LEFT JOIN chat_conversation c ON c.id = o.lane WHERE o.id = \(id)
                """
            )
            return row.flatMap(entry)
        }
    }

    static func remove(_ id: Int64, in database: Database) throws {
        try database.run("DELETE FROM chat_outbox WHERE id = \(id)")
    }

    static func lose(_ count: Int, in database: Database) throws {
        try database.run("UPDATE chat_outbox_loss SET count = count + \(count)")
    }

    static func counts(in database: Database) throws -> (waiting: Int, lost: Int) {
        (
            try database.value("SELECT count(*) FROM chat_outbox") ?? 0,
            try database.value("SELECT count FROM chat_outbox_loss") ?? 0
        )
    }

    private static func entry(_ row: Row) -> OutboxEntry? {
        guard let kind = OutboxEntry.Kind(rawValue: row["kind"]) else { return nil }
        return OutboxEntry(
            id: row["id"],
            kind: kind,
            conversation: (row["low"] as Int64?) == nil ? nil : ConversationID(numbers: row),
            seq: row["seq"],
            person: UserID(row["person"] as Int64),
            number: row["number"],
            at: row["at"],
            lane: row["lane"]
        )
    }
}
