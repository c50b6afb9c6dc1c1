package import Accounts
import Foundation
package import GRDB
import Kernel
import Principals
import Sealing
package import Storage

/// The tables of accounts, and what is read and written of them in a transaction of whoever asks.
package enum AccountTables {
    package static let migrations = [
        Migration(
            "accounts-1",
            sql: """
                -- A number is never given twice: it names a person in other tables and in other people's devices.
                CREATE TABLE account (
                    uid INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, nickname TEXT NOT NULL,
                    avatar TEXT NOT NULL, password TEXT, createdAt INTEGER NOT NULL, isSuspended INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE account_key (
                    did TEXT PRIMARY KEY NOT NULL, uid INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                    addedAt INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX account_key_uid ON account_key (uid);
                -- The next… columns are the successor of a refresh token.
                CREATE TABLE account_session (
                    id TEXT PRIMARY KEY NOT NULL, uid INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
                    name TEXT NOT NULL, platform INTEGER NOT NULL, did TEXT, hash BLOB NOT NULL, nextHash BLOB,
                    nextSince INTEGER, createdAt INTEGER NOT NULL, secretSince INTEGER NOT NULL, lastSeenAt INTEGER,
                    address TEXT
                ) STRICT;
                CREATE INDEX account_session_uid ON account_session (uid);
                CREATE TABLE account_invitation (
                    id TEXT PRIMARY KEY NOT NULL, hash BLOB NOT NULL UNIQUE, uses INTEGER NOT NULL,
                    used INTEGER NOT NULL, createdAt INTEGER NOT NULL, endsAt INTEGER NOT NULL
                ) STRICT;
                -- Names of deleted accounts, which nobody gets for a while. Hashes, because the person wants to be forgotten.
                CREATE TABLE account_former_name (
                    hash BLOB PRIMARY KEY NOT NULL, endsAt INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID;
                """
        ),
        Migration("accounts-2", sql: "CREATE INDEX account_avatar ON account (avatar) WHERE avatar <> '';"),
    ]

    // MARK: Reading

    package static func account(_ person: UserID, in database: Database) throws -> Account? {
        try database.row("SELECT * FROM account WHERE uid = \(person.number)").flatMap(account)
    }

    package static func account(named name: AccountName, in database: Database) throws -> Account? {
        try database.row("SELECT * FROM account WHERE name = \(name.text)").flatMap(account)
    }

    static func account(withKey did: DID, in database: Database) throws -> Account? {
        try database.row(
            "SELECT account.* FROM account JOIN account_key USING (uid) WHERE account_key.did = \(did)"
        ).flatMap(account)
    }

    /// Accounts by their numbers, from the one behind `after` on.
    static func accounts(after: Int64, limit: Int, in database: Database) throws -> [Account] {
        try database.rows("SELECT * FROM account WHERE uid > \(after) ORDER BY uid LIMIT \(limit)").compactMap(account)
    }

    static func count(in database: Database) throws -> Int { try database.value("SELECT count(*) FROM account") ?? 0 }

    static func suspended(in database: Database) throws -> Set<UserID> {
        let numbers: [Int64] = try database.values("SELECT uid FROM account WHERE isSuspended")
        return Set(numbers.compactMap { UserID($0) })
    }

    static func isAvatar(_ key: String, in database: Database) throws -> Bool {
        guard !key.isEmpty else { return false }
        let found: Int? = try database.value("SELECT 1 FROM account WHERE avatar = \(key) AND avatar <> '' LIMIT 1")
        return found != nil
    }

    static func keyCount(of person: UserID, in database: Database) throws -> Int {
        try database.value("SELECT count(*) FROM account_key WHERE uid = \(person.number)") ?? 0
    }

    /// Nil for a row that something damaged.
    private static func account(_ row: Row) -> Account? {
        guard let person = UserID(row["uid"] as Int64), let name = AccountName(row["name"] as String) else {
            return nil
        }
        let password: String? = row["password"]
        return Account(
            person: person,
            name: name,
            nickname: row["nickname"],
            avatar: row["avatar"],
            createdAt: row["createdAt"],
            isSuspended: row["isSuspended"],
            password: password.flatMap { PasswordHash(text: $0) }
        )
    }

    // MARK: Writing

    /// Makes an account.
    ///
    /// - Throws: ``AccountsError/nameTaken(_:)``, also for the name of an account that was deleted lately; what the database says.
    static func insert(
        _ name: AccountName,
        nickname: String,
        password: PasswordHash?,
        at time: Int64,
        in database: Database
    ) throws -> Account {
        let hash = formerName(name)
        let rests: Int? = try database.value(
            "SELECT 1 FROM account_former_name WHERE hash = \(hash) AND endsAt > \(time)"
        )
        guard rests == nil, try account(named: name, in: database) == nil else { throw AccountsError.nameTaken(name) }
        try database.run(
            """
            INSERT INTO account (name, nickname, avatar, password, createdAt, isSuspended)
            VALUES (\(name.text), \(nickname), '', \(password?.text), \(time), 0)
            """
        )
        guard let person = UserID(database.lastInsertedRowID), let account = try account(person, in: database) else {
            throw StorageError.damaged
        }
        return account
    }

    /// - Throws: ``AccountsError/keyTaken`` where it opens another account; what the database says.
    static func add(_ key: DID, to person: UserID, at time: Int64, in database: Database) throws {
        if let owner = try account(withKey: key, in: database)?.person {
            guard owner == person else { throw AccountsError.keyTaken }
            return
        }
        try database.run("INSERT INTO account_key VALUES (\(key), \(person.number), \(time))")
    }

    static func remove(_ key: DID, of person: UserID, in database: Database) throws {
        try database.run("DELETE FROM account_key WHERE did = \(key) AND uid = \(person.number)")
    }

    static func set(_ password: PasswordHash, of person: UserID, in database: Database) throws {
        try database.run("UPDATE account SET password = \(password.text) WHERE uid = \(person.number)")
    }

    /// Replaces the hash of a password by another one of the same. Of an account whose password was changed meanwhile nothing.
    static func replace(_ old: PasswordHash, by new: PasswordHash, of person: UserID, in database: Database) throws {
        try database.run(
            "UPDATE account SET password = \(new.text) WHERE uid = \(person.number) AND password = \(old.text)"
        )
    }

    static func set(isSuspended: Bool, of person: UserID, in database: Database) throws {
        try database.run("UPDATE account SET isSuspended = \(isSuspended) WHERE uid = \(person.number)")
    }

    static func set(nickname: String, avatar: String, of person: UserID, in database: Database) throws {
        try database.run(
            "UPDATE account SET nickname = \(nickname), avatar = \(avatar) WHERE uid = \(person.number)"
        )
    }

    /// Deletes an account with its keys and sessions.
    ///
    /// - Parameter rest: Until when nobody gets its name.
    static func delete(_ account: Account, restingUntil rest: Int64, in database: Database) throws {
        try database.run("DELETE FROM account WHERE uid = \(account.person.number)")
        try database.run("INSERT OR REPLACE INTO account_former_name VALUES (\(formerName(account.name)), \(rest))")
    }

    /// Removes invitations and resting names whose time is over.
    static func removeEnded(at time: Int64, in database: Database) throws {
        try database.run("DELETE FROM account_invitation WHERE endsAt <= \(time)")
        try database.run("DELETE FROM account_former_name WHERE endsAt <= \(time)")
    }

    private static func formerName(_ name: AccountName) -> Data {
        Data(SecretHash(of: name.text, for: "account name").bytes)
    }
}
