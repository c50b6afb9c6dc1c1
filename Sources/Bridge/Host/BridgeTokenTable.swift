import Foundation
import GRDB
import Principals
import Rights

/// The table `bridgeToken`, whose `next…` columns are the successor of a token.
struct BridgeTokenTable: BearerStore {
    typealias Holder = BridgeDevice

    let database: any DatabaseWriter

    /// The oldest first.
    func all() throws -> [BridgeTokens.Token] {
        try database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM bridgeToken ORDER BY createdAt, id").map(Self.token)
        }
    }

    func insert(_ token: BridgeTokens.Token) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO bridgeToken (id, name, rights, hash, createdAt, tokenSince) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    token.id, token.name, token.rights.map(\.rawValue).sorted().joined(separator: " "),
                    Data(token.hash.bytes), token.createdAt, token.secretSince,
                ]
            )
        }
    }

    func update(_ token: BridgeTokens.Token) async throws {
        try await database.write { database in
            try database.execute(
                sql: """
                    UPDATE bridgeToken SET hash = ?, nextHash = ?, nextSince = ?, tokenSince = ?, lastSeenAt = ?, address = ?
                    WHERE id = ?
                    """,
                arguments: [
                    Data(token.hash.bytes), token.successor.map { Data($0.hash.bytes) }, token.successor?.since,
                    token.secretSince, token.lastSeenAt, token.address, token.id,
                ]
            )
        }
    }

    func remove(_ ids: [String]) async throws {
        try await database.write { database in
            for id in ids { try database.execute(sql: "DELETE FROM bridgeToken WHERE id = ?", arguments: [id]) }
        }
    }

    func removeAll() async throws {
        try await database.write { try $0.execute(sql: "DELETE FROM bridgeToken") }
    }

    private static func token(_ row: Row) -> BridgeTokens.Token {
        let createdAt: Int64 = row["createdAt"]
        let nextHash: Data? = row["nextHash"]
        let nextSince: Int64? = row["nextSince"]
        return BridgeTokens.Token(
            id: row["id"],
            holder: BridgeDevice(
                name: row["name"],
                rights: Right.stored((row["rights"] as String).split(separator: " ").map(String.init))
            ),
            hash: SecretHash(kept: Array(row["hash"] as Data)),
            createdAt: createdAt,
            secretSince: row["tokenSince"],
            successor: nextHash.map { hash in
                BridgeTokens.Token.Successor(hash: SecretHash(kept: Array(hash)), since: nextSince ?? createdAt)
            },
            lastSeenAt: row["lastSeenAt"],
            address: row["address"]
        )
    }
}
