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

    package func save(_ record: some Encodable & Sendable, id: String) throws {
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO \(name) (id, record) VALUES (?, ?)",
                arguments: [id, text]
            )
        }
    }

    package func remove(_ id: String) throws {
        try database.write { try $0.execute(sql: "DELETE FROM \(name) WHERE id = ?", arguments: [id]) }
    }
}
