import Foundation
import GRDB
import Kernel
import Logging
import SavedCommands
import Storage

/// The tables `savedCommand` and `savedCommandRun`.
struct SavedCommandStore: Sendable {
    static let migrations = [
        Migration(
            "saved-commands-1",
            sql: """
                CREATE TABLE savedCommand (id TEXT PRIMARY KEY NOT NULL, body TEXT NOT NULL) STRICT;
                CREATE TABLE savedCommandRun (
                    id TEXT PRIMARY KEY NOT NULL, device TEXT NOT NULL, deviceName TEXT NOT NULL,
                    startedAt INTEGER NOT NULL, body TEXT NOT NULL
                ) STRICT;
                CREATE INDEX savedCommandRunByTime ON savedCommandRun (startedAt)
                """
        )
    ]

    let database: any DatabaseWriter
    let logger: Logger

    /// - Throws: What the database says. A row that cannot be read is left out, and stays.
    func commands() throws -> [SavedCommand] {
        let rows = try database.read { try Row.fetchAll($0, sql: "SELECT id, body FROM savedCommand ORDER BY id") }
        return rows.compactMap { row in
            do {
                return try JSONValue(parsing: (row["body"] as String).utf8).decode(as: SavedCommand.self)
            } catch {
                logger.error("a saved command is damaged", metadata: ["id": "\(row["id"] as String)"])
                return nil
            }
        }
    }

    /// The last runs, the newest first.
    func runs() throws -> [KeptRun] {
        let rows = try database.read { database in
            try Row.fetchAll(
                database,
                sql: "SELECT * FROM savedCommandRun ORDER BY startedAt DESC, id LIMIT ?",
                arguments: [SavedCommandLimits.history]
            )
        }
        return rows.compactMap { row in
            guard let wire = try? JSONValue(parsing: (row["body"] as String).utf8),
                let run = try? CommandRun(wire: wire)
            else {
                logger.error("a run of a saved command is damaged", metadata: ["id": "\(row["id"] as String)"])
                return nil
            }
            return KeptRun(run: run, device: row["device"], deviceName: row["deviceName"])
        }
    }

    func save(_ command: SavedCommand) async throws {
        let body = try JSONValue(encoding: command).canonicalText
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO savedCommand (id, body) VALUES (?, ?)",
                arguments: [command.id, body]
            )
        }
    }

    func remove(_ id: String) async throws {
        try await database.write { database in
            try database.execute(sql: "DELETE FROM savedCommand WHERE id = ?", arguments: [id])
        }
    }

    /// Keeps a run as it stands, and forgets those beyond the newest ``SavedCommandLimits/history``.
    func save(_ run: KeptRun) async throws {
        let body = run.run.wire.canonicalText
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO savedCommandRun (id, device, deviceName, startedAt, body)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [run.run.id, run.device, run.deviceName, run.run.startedAt, body]
            )
            try database.execute(
                sql: """
                    DELETE FROM savedCommandRun WHERE id NOT IN
                    (SELECT id FROM savedCommandRun ORDER BY startedAt DESC, id LIMIT ?)
                    """,
                arguments: [SavedCommandLimits.history]
            )
        }
    }
}
