import Foundation
public import GRDB
import Synchronization

/// Keeps what is remembered of wrong typed codes in one row of the role's database.
public final class SQLitePairingGuesses: PairingGuessStore {
    private let pool: DatabasePool
    private let record: Mutex<GuessRecord>

    /// - Parameter database: The role's database, from `StateDatabase`; the table is made when it is missing.
    public init(_ database: DatabasePool) throws {
        pool = database
        var migrator = DatabaseMigrator()
        migrator.registerMigration("pairing-guesses-1") { database in
            try database.execute(
                sql: "CREATE TABLE pairing_guesses (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL)"
            )
        }
        try migrator.migrate(pool)
        let text = try pool.read { try String.fetchOne($0, sql: "SELECT record FROM pairing_guesses") }
        // A row that something damaged is as if nobody had guessed; the next wrong code writes it anew.
        record = Mutex(text.flatMap { try? JSONDecoder().decode(GuessRecord.self, from: Data($0.utf8)) } ?? .init())
    }

    public var kept: GuessRecord { record.withLock(\.self) }

    public func keep(_ record: GuessRecord) async throws {
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        try await pool.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO pairing_guesses (id, record) VALUES (1, ?)",
                arguments: [text]
            )
        }
        self.record.withLock { $0 = record }
    }
}
