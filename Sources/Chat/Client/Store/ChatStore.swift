import Accounts
import Chat
public import GRDB
public import Storage
import WebClient

/// The conversations of a device's accounts on its disk, each account for itself: what one keeps no other sees.
///
/// Signing out leaves the rows of an account, which nothing reads until it signs in again: what waited is sent then, and no hub could hand over
/// again what came sealed. ``remove(_:)`` takes all of it away.
public struct ChatStore: Sendable {
    /// The tables, for a database of their own.
    public static let migrations: [Migration] = ChatTables.migrations

    let database: any DatabaseWriter

    /// - Parameter database: With ``migrations``.
    /// - Throws: What is wrong with the database.
    public init(_ database: any DatabaseWriter) throws {
        self.database = database
        try database.writeWithoutTransaction { database in
            // What is removed is overwritten with zeros; `scrub` does the rest.
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
    }

    /// Opens what is kept of an account, or makes its row.
    ///
    /// - Parameter told: Called after each commit that brought something, in their order. It must not wait.
    func open(_ account: ChatAccount, told: @escaping @Sendable (StoreNews) -> Void) async throws -> StoredAccount {
        let row: Int64? = try await telling {
            try await database.write { database in
                try database.run(
                    """
                    INSERT OR IGNORE INTO messenger_account (hub, person)
                    VALUES (\(account.hub.base), \(account.user.number))
                    """
                )
                return try database.value(
                    """
                    SELECT id FROM messenger_account WHERE hub = \(account.hub.base) AND person = \(account.user.number)
                    """
                )
            }
        }
        guard let row else { throw StorageError.damaged }
        return StoredAccount(store: self, row: row, me: account.user, told: told)
    }

    /// Removes everything of an account: it was deleted at its hub. Its repository has ended.
    public func remove(_ account: ChatAccount) async throws {
        try await telling {
            try await database.write { database in
                let row: Int64? = try database.value(
                    "SELECT id FROM messenger_account WHERE hub = \(account.hub.base) AND person = \(account.user.number)"
                )
                guard let row else { return }
                for table in ["message", "handed", "notice", "devices"] {
                    try database.run(
                        """
                        DELETE FROM messenger_\(sql: table)
                        WHERE conversation IN (SELECT id FROM messenger_conversation WHERE account = \(row))
                        """
                    )
                }
                for table in ["outbox", "profile", "conversation", "taking", "offering", "offering_part"] {
                    try database.run("DELETE FROM messenger_\(sql: table) WHERE account = \(row)")
                }
                try database.run("DELETE FROM messenger_account WHERE id = \(row)")
                try database.run("UPDATE messenger_care SET remains = \(Remains.index)")
            }
        }
        try await scrub()
    }

    /// Where copies of removed words are.
    enum Remains {
        static let nowhere = 0
        /// In SQLite's log of writes.
        static let log = 1
        /// In the index of words, too.
        static let index = 2
    }

    /// Removes copies of removed words from the files: those that the index of words keeps beside its marks of deletion, and SQLite's log.
    ///
    /// SQLite's own `secure-delete` of an index needs 3.42, which stable systems do not have; merging the index to one part drops all that is
    /// marked, and with `secure_delete` the pages of the parts before are overwritten.
    ///
    /// - Returns: False where a reader is in the way: then later.
    @discardableResult
    func scrub() async throws -> Bool {
        try await telling {
            try await database.writeWithoutTransaction { database in
                let remains: Int = try database.value("SELECT remains FROM messenger_care") ?? 0
                guard remains > Remains.nowhere else { return true }
                if remains >= Remains.index {
                    try database.execute(sql: "INSERT INTO messenger_words (messenger_words) VALUES ('optimize')")
                }
                try database.run("UPDATE messenger_care SET remains = \(Remains.log)")
                // A reader that is long at it must not hold up the writer.
                try database.execute(sql: "PRAGMA busy_timeout = 50")
                defer { try? database.execute(sql: "PRAGMA busy_timeout = 5000") }  // a constant of SQLite's own
                let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
                // -1 in memory, where there is no log.
                guard row?["busy"] == 0 else { return false }
                try database.run("UPDATE messenger_care SET remains = \(Remains.nowhere)")
                return true
            }
        }
    }

    func telling<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch { throw StorageError.telling(error) }
    }
}
