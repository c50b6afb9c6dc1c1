package import Foundation
package import GRDB
import Kernel

/// Keeps used nonces in the desktop's database until they are too old to be accepted anyway.
package struct SQLiteNonceStore: NonceStore {
    private let pool: DatabasePool

    /// - Parameter database: The role's database, from `StateDatabase`; the table is made when it is missing.
    package init(_ database: DatabasePool) throws {
        pool = database
        var migrator = DatabaseMigrator()
        migrator.registerMigration("remote-nonce-1") {
            try $0.execute(
                sql: """
                    CREATE TABLE remoteNonce (
                        did TEXT NOT NULL, nonce TEXT NOT NULL, expiresAt INTEGER NOT NULL, PRIMARY KEY (did, nonce)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX remoteNonceByExpiry ON remoteNonce (expiresAt);
                    """
            )
        }
        try migrator.migrate(pool)
    }

    package func use(_ nonce: String, by did: String, now: Date) async throws -> Bool {
        let time = now.millisecondsSince1970
        return try await pool.write { database in
            try database.execute(sql: "DELETE FROM remoteNonce WHERE expiresAt <= ?", arguments: [time])
            try database.execute(
                sql: "INSERT OR IGNORE INTO remoteNonce (did, nonce, expiresAt) VALUES (?, ?, ?)",
                arguments: [did, nonce, time + NonceLifetime.milliseconds]
            )
            return database.changesCount == 1
        }
    }
}
