import Foundation
package import GRDB
package import Logging
package import Storage

/// A record of a transfer that a ``RecordTable`` keeps.
package protocol JournalRecord: ArrivingRecord, Codable {
    /// A constant of ours, never a peer's words: it becomes part of statements.
    static var tableName: String { get }
    var id: String { get }
}

/// A journal of transfers: records by id, each as a JSON text, since they are read whole and change with what a transfer needs. The database
/// must run with `synchronous=FULL`.
package struct RecordTable<Record: JournalRecord>: Sendable {
    private let database: any DatabaseWriter
    private let logger: Logger

    package static var migrations: [Migration] {
        [
            Migration(
                "files-\(Record.tableName)-1",
                sql: "CREATE TABLE \(Record.tableName) (id TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL) STRICT"
            )
        ]
    }

    /// - Parameter database: The role's database, with the ``migrations``.
    package init(_ database: any DatabaseWriter, logger: Logger = Logger(label: "tandem.files.journal")) {
        self.database = database
        self.logger = logger
    }

    package func records() throws -> [Record] {
        let rows = try database.read { database in
            try Row.fetchAll(database, sql: "SELECT id, record FROM \(Record.tableName) ORDER BY id").map { row in
                (id: row["id"] as String, text: row["record"] as String)
            }
        }
        return rows.compactMap { row in
            do {
                return try JSONDecoder().decode(Record.self, from: Data(row.text.utf8))
            } catch {
                // One damaged record must not take the others with it.
                logger.error(
                    "a transfer's record could not be read",
                    metadata: ["table": "\(Record.tableName)", "id": "\(row.id)"]
                )
                return nil
            }
        }
    }

    package func save(_ record: Record) throws { try saveAll([record]) }

    /// All in one commit: many records wait for the disk once.
    package func saveAll(_ records: [Record]) throws {
        let encoder = JSONEncoder()
        let rows = try records.map { (id: $0.id, text: String(decoding: try encoder.encode($0), as: UTF8.self)) }
        try database.write { database in
            let statement = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO \(Record.tableName) (id, record) VALUES (?, ?)"
            )
            for row in rows { try statement.execute(arguments: [row.id, row.text]) }
        }
    }

    package func remove(_ id: String) throws { try removeAll([id]) }

    /// All in one commit.
    package func removeAll(_ ids: [String]) throws {
        try database.write { database in
            let statement = try database.cachedStatement(sql: "DELETE FROM \(Record.tableName) WHERE id = ?")
            for id in ids { try statement.execute(arguments: [id]) }
        }
    }
}
