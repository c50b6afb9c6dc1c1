import Accounts
import Chat
import ChatSealing
public import GRDB
import Kernel
public import Storage
import WebClient

/// Chat keys and lists of devices on a device's disk, each account's for itself.
public struct ChatKeyStore: Sendable {
    /// The tables, for the feature's database.
    public static let migrations: [Migration] = SealingTables.migrations

    let database: any DatabaseWriter

    /// - Parameter database: With ``migrations``; nobody but its owner can read it.
    public init(_ database: any DatabaseWriter) { self.database = database }

    /// The rows of an account, which are made where there are none.
    func open(_ account: ChatAccount) async throws -> SealingRows {
        let row: Int64? = try await database.write { database in
            try database.run(
                "INSERT OR IGNORE INTO sealing_account (hub, person) VALUES (\(account.hub.base), \(account.user.number))"
            )
            return try database.value(
                "SELECT id FROM sealing_account WHERE hub = \(account.hub.base) AND person = \(account.user.number)"
            )
        }
        guard let row else { throw StorageError.damaged }
        return SealingRows(database: database, account: row)
    }

    /// Removes the keys and lists of an account: it was deleted at its hub. What was sealed for it can be opened no more.
    public func remove(_ account: ChatAccount) async throws {
        let rows = try await open(account)
        try await database.write { database in
            for table in SealingTables.names {
                try database.run("DELETE FROM sealing_\(sql: table) WHERE account = \(rows.account)")
            }
            try database.run("DELETE FROM sealing_account WHERE id = \(rows.account)")
        }
    }
}
