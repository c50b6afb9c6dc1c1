import Accounts
import Foundation
import GRDB
import Principals
import Sealing
import Storage

/// The table `account_session`.
struct SessionTable: BearerStore {
    typealias Holder = SessionHolder

    let database: any DatabaseWriter

    /// The oldest first.
    func all() throws -> [SessionEntry] {
        try database.read { database in
            try database.rows("SELECT * FROM account_session ORDER BY createdAt, id").compactMap(Self.entry)
        }
    }

    func insert(_ entry: SessionEntry) async throws {
        let holder = entry.holder
        try await database.write { database in
            try database.run(
                """
                INSERT INTO account_session (id, uid, name, platform, did, hash, createdAt, secretSince)
                VALUES (\(entry.id), \(holder.person.number), \(holder.name), \(holder.platform.rawValue),
                    \(holder.did), \(Data(entry.hash.bytes)), \(entry.createdAt), \(entry.secretSince))
                """
            )
        }
    }

    func update(_ entry: SessionEntry) async throws {
        try await database.write { database in
            try database.run(
                """
                UPDATE account_session SET hash = \(Data(entry.hash.bytes)),
                    nextHash = \(entry.successor.map { Data($0.hash.bytes) }), nextSince = \(entry.successor?.since),
                    secretSince = \(entry.secretSince), lastSeenAt = \(entry.lastSeenAt), address = \(entry.address)
                WHERE id = \(entry.id)
                """
            )
        }
    }

    func remove(_ ids: [String]) async throws {
        try await database.write { database in
            for id in ids { try database.run("DELETE FROM account_session WHERE id = \(id)") }
        }
    }

    func removeAll() async throws { try await database.write { try $0.run("DELETE FROM account_session") } }

    /// Nil for a row that something damaged.
    private static func entry(_ row: Row) -> SessionEntry? {
        guard let person = UserID(row["uid"] as Int64) else { return nil }
        let createdAt: Int64 = row["createdAt"]
        let (nextHash, nextSince): (Data?, Int64?) = (row["nextHash"], row["nextSince"])
        return SessionEntry(
            id: row["id"],
            holder: SessionHolder(
                person: person,
                name: row["name"],
                platform: PlatformID(rawValue: row["platform"]),
                did: row["did"]
            ),
            hash: SecretHash(kept: Array(row["hash"] as Data)),
            createdAt: createdAt,
            secretSince: row["secretSince"],
            successor: nextHash.map { hash in
                SessionEntry.Successor(hash: SecretHash(kept: Array(hash)), since: nextSince ?? createdAt)
            },
            lastSeenAt: row["lastSeenAt"],
            address: row["address"]
        )
    }
}
