package import Foundation
package import GRDB
import Kernel
package import Storage

/// Keeps used nonces in the desktop's database until they are too old to be accepted anyway.
package struct SQLiteNonceStore: NonceStore {
    package static let migrations = [
        Migration(
            "remote-nonce-1",
            sql: """
                CREATE TABLE remoteNonce (
                    did TEXT NOT NULL, nonce TEXT NOT NULL, expiresAt INTEGER NOT NULL, PRIMARY KEY (did, nonce)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX remoteNonceByExpiry ON remoteNonce (expiresAt);
                """
        )
    ]

    private let database: any DatabaseWriter

    /// - Parameter database: The role's database, with these ``migrations``.
    package init(_ database: any DatabaseWriter) { self.database = database }

    package func use(_ nonce: String, by did: String, now: Date) async throws -> Bool {
        let time = now.millisecondsSince1970
        return try await database.write { database in
            try database.run("DELETE FROM remoteNonce WHERE expiresAt <= \(time)")
            try database.run(
                """
                INSERT OR IGNORE INTO remoteNonce (did, nonce, expiresAt)
                VALUES (\(did), \(nonce), \(time + NonceLifetime.milliseconds))
                """
            )
            return database.changesCount == 1
        }
    }
}
