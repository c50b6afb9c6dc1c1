import Accounts
public import GRDB
public import Storage
import WebClient

/// The account of a device and what renews its access, in the role's database, which its owner alone can read.
public struct AccountStore: Sendable {
    struct Record: Sendable {
        var account: KnownAccount
        /// Opens the account until it is replaced: never logged or shown.
        var refreshToken: String
    }

    public static let migrations = [
        Migration(
            "account-1",
            sql: """
                CREATE TABLE account (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    hub TEXT NOT NULL,
                    uid INTEGER NOT NULL,
                    name TEXT NOT NULL,
                    nickname TEXT NOT NULL,
                    device TEXT NOT NULL,
                    refreshToken TEXT NOT NULL
                ) STRICT;
                """
        )
    ]

    private let database: any DatabaseWriter

    public init(_ database: any DatabaseWriter) { self.database = database }

    /// Nil where the device has no account.
    ///
    /// - Throws: What is wrong with the database.
    func load() async throws -> Record? {
        try await database.read { database in
            guard let row = try database.row("SELECT * FROM account WHERE id = 1"), let user = UserID(row["uid"]),
                let hub = try? WebURL(row["hub"] as String)  // a row that is not ours is no account
            else { return nil }
            let account = KnownAccount(
                hub: hub,
                user: user,
                name: row["name"],
                nickname: row["nickname"],
                device: row["device"]
            )
            return Record(account: account, refreshToken: row["refreshToken"])
        }
    }

    /// - Returns: False, with nothing changed, where the device has an account already.
    func add(_ record: Record) async throws -> Bool {
        let account = record.account
        return try await database.write { database in
            try database.run(
                """
                INSERT INTO account (id, hub, uid, name, nickname, device, refreshToken)
                VALUES (1, \(account.hub.text), \(account.user.number), \(account.name), \(account.nickname),
                    \(account.device), \(record.refreshToken))
                ON CONFLICT DO NOTHING
                """
            )
            return database.changesCount == 1
        }
    }

    /// Changes nothing where the session is not this device's any more.
    func replace(refreshToken: String, of account: KnownAccount) async throws {
        try await database.write { database in
            try database.run(
                "UPDATE account SET refreshToken = \(refreshToken) WHERE id = 1 AND device = \(account.device)"
            )
        }
    }

    /// Changes nothing where the session is not this device's any more.
    func rename(_ nickname: String, of account: KnownAccount) async throws {
        try await database.write { database in
            try database.run("UPDATE account SET nickname = \(nickname) WHERE id = 1 AND device = \(account.device)")
        }
    }

    func remove() async throws {
        try await database.write { try $0.run("DELETE FROM account") }
    }
}
