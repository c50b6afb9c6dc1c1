import Foundation
package import GRDB
package import Storage
import Synchronization

/// Stores the record of wrong typed codes in one row of the role's database.
package final class SQLitePairingGuesses: PairingGuessStore {
    /// The migrations of the table `pairing_guesses`.
    package static let migrations = [
        Migration(
            "pairing-guesses-1",
            sql: "CREATE TABLE pairing_guesses (id INTEGER PRIMARY KEY CHECK (id = 1), record TEXT NOT NULL)"
        )
    ]

    private let database: any DatabaseWriter
    private let record: Mutex<GuessRecord>

    /// - Parameter database: The role's database, with these ``migrations``.
    /// - Throws: SQLite's error.
    package init(_ database: any DatabaseWriter) throws {
        self.database = database
        let text = try database.read { try $0.value("SELECT record FROM pairing_guesses") as String? }
        // A damaged row counts as no guesses; the next wrong code writes it anew.
        record = Mutex(text.flatMap { try? JSONDecoder().decode(GuessRecord.self, from: Data($0.utf8)) } ?? .init())
    }

    package var kept: GuessRecord { record.withLock(\.self) }

    package func keep(_ record: GuessRecord) async throws {
        let text = String(decoding: try JSONEncoder().encode(record), as: UTF8.self)
        try await database.write { database in
            try database.run("INSERT OR REPLACE INTO pairing_guesses (id, record) VALUES (1, \(text))")
        }
        self.record.withLock { $0 = record }
    }
}
