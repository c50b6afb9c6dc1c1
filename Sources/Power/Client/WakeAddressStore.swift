import GRDB
import Kernel
import Storage

/// The table `wakeAddress`: what paired computers told of their interfaces.
struct WakeAddressStore: Sendable {
    static let table = "wakeAddress"
    static let migrations = [
        Migration(
            "power-1",
            sql: """
                CREATE TABLE wakeAddress (
                    computer TEXT PRIMARY KEY NOT NULL, status TEXT NOT NULL, toldAt INTEGER NOT NULL
                ) STRICT
                """
        )
    ]

    /// What one computer told.
    struct Entry: Hashable, Sendable {
        let interfaces: [PowerStatus.Interface]
        /// In milliseconds since 1970.
        let toldAt: Int64
    }

    let database: any DatabaseWriter

    /// By the computers' ids. One that cannot be read is left out.
    func entries() async throws -> [String: Entry] {
        let rows = try await database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM wakeAddress").map { row in
                (row["computer"] as String, row["status"] as String, row["toldAt"] as Int64)
            }
        }
        return rows.reduce(into: [:]) { entries, row in
            // What a damaged row said is told again when the computer is next reached.
            guard let wire = try? JSONValue(parsing: row.1.utf8), let status = try? PowerStatus(wire: wire) else {
                return
            }
            entries[row.0] = Entry(interfaces: status.interfaces, toldAt: row.2)
        }
    }

    func save(_ status: PowerStatus, of computer: String, at toldAt: Int64) async throws {
        let text = status.wire.canonicalText
        try await database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO wakeAddress (computer, status, toldAt) VALUES (?, ?, ?)",
                arguments: [computer, text, toldAt]
            )
        }
    }

    /// Forgets the computers that are not among `computers`.
    func keep(only computers: [String]) async throws {
        try await database.write { database in
            let known = try String.fetchAll(database, sql: "SELECT computer FROM wakeAddress")
            for computer in known where !computers.contains(computer) {
                try database.execute(sql: "DELETE FROM wakeAddress WHERE computer = ?", arguments: [computer])
            }
        }
    }
}
