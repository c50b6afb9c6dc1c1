import Foundation
package import GRDB
package import Logging
package import Storage

/// Records by id, each as a JSON text: they are read whole, and change with what a transfer needs.
package struct RecordTable: Sendable {
    private let name: String
    private let database: any DatabaseWriter
    private let logger: Logger

    package static func migrations(_ name: String) -> [Migration] {
        [
            Migration(
                "files-\(name)-1",
                sql: "CREATE TABLE \(name) (id TEXT PRIMARY KEY NOT NULL, record TEXT NOT NULL) STRICT"
            )
        ]
    }

    /// - Parameters:
    ///   - name: A constant of ours, never a peer's words: it becomes part of statements.
    ///   - database: The role's database, with the ``migrations(_:)`` of that name.
    package init(_ name: String, in database: any DatabaseWriter, logger: Logger) {
        self.name = name
        self.database = database
        self.logger = logger
    }

    package func all<Record: Decodable & Sendable>() throws -> [Record] {
        let rows = try database.read { database in
            try Row.fetchAll(database, sql: "SELECT id, record FROM \(name) ORDER BY id").map { row in
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
                    metadata: ["table": "\(name)", "id": "\(row.id)"]
                )
                return nil
            }
        }
    }

    package func save(_ record: some Encodable & Sendable, id: String) throws { try save([(record: record, id: id)]) }

    /// All in one commit: many records wait for the disk once.
    package func save<Record: Encodable & Sendable>(_ records: [(record: Record, id: String)]) throws {
        let encoder = JSONEncoder()
        let rows = try records.map { record, id in
            (id: id, text: String(decoding: try encoder.encode(record), as: UTF8.self))
        }
        try database.write { database in
            let statement = try database.cachedStatement(
                sql: "INSERT OR REPLACE INTO \(name) (id, record) VALUES (?, ?)"
            )
            for row in rows { try statement.execute(arguments: [row.id, row.text]) }
        }
    }

    package func remove(_ id: String) throws { try remove([id]) }

    /// All in one commit.
    package func remove(_ ids: [String]) throws {
        try database.write { database in
            let statement = try database.cachedStatement(sql: "DELETE FROM \(name) WHERE id = ?")
            for id in ids { try statement.execute(arguments: [id]) }
        }
    }
}
