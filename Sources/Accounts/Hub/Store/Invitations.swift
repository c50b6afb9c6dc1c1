import Accounts
import Foundation
import GRDB
import Kernel
import Principals
import Sealing
import Storage

/// The table of invitations: hashes of their codes, never the codes.
struct Invitations: Sendable {
    /// An invitation as its operator sees it.
    struct Entry: Hashable, Sendable {
        let id: String
        /// People that may come with it in all.
        let uses: Int
        let used: Int
        /// Milliseconds since 1970.
        let createdAt: Int64
        let endsAt: Int64
    }

    /// The most invitations that are open at a time.
    static let countLimit = 1000
    static let uses = 1...10_000
    static let days = 1...365

    let database: any DatabaseWriter

    /// Makes one. It is on disk when this returns.
    ///
    /// - Throws: ``AccountsError/badInvitation(uses:days:)``, ``AccountsError/tooManyInvitations(limit:)``; what the database says.
    func make(uses: Int, days: Int, at time: Int64) async throws -> (entry: Entry, code: InvitationCode) {
        guard Self.uses.contains(uses), Self.days.contains(days) else {
            throw AccountsError.badInvitation(uses: Self.uses, days: Self.days)
        }
        let code = InvitationCode.random()
        let entry = Entry(
            id: Hexadecimal.encode(RandomBytes.make(4)),
            uses: uses,
            used: 0,
            createdAt: time,
            endsAt: time + Int64(days) * 86_400_000
        )
        try await database.write { database in
            let open: Int? = try database.value(
                "SELECT count(*) FROM account_invitation WHERE endsAt > \(time) AND used < uses"
            )
            guard open ?? 0 < Self.countLimit else { throw AccountsError.tooManyInvitations(limit: Self.countLimit) }
            try database.run(
                """
                INSERT INTO account_invitation
                VALUES (\(entry.id), \(Self.hash(code)), \(uses), 0, \(time), \(entry.endsAt))
                """
            )
        }
        return (entry, code)
    }

    /// Those that are good now, the oldest first.
    func open(at time: Int64) async throws -> [Entry] {
        try await database.read { database in
            try database.rows(
                "SELECT * FROM account_invitation WHERE endsAt > \(time) AND used < uses ORDER BY createdAt, id"
            ).map { row in
                Entry(
                    id: row["id"],
                    uses: row["uses"],
                    used: row["used"],
                    createdAt: row["createdAt"],
                    endsAt: row["endsAt"]
                )
            }
        }
    }

    /// Whether a code is good now.
    func isOpen(_ code: InvitationCode, at time: Int64) async throws -> Bool {
        let found: Int? = try await database.read { database in
            try database.value(
                """
                SELECT 1 FROM account_invitation
                WHERE hash = \(Self.hash(code)) AND used < uses AND endsAt > \(time)
                """
            )
        }
        return found != nil
    }

    /// - Throws: ``AccountsError/noSuchInvitation(_:)``; what the database says.
    func takeBack(_ id: String) async throws {
        try await database.write { database in
            try database.run("DELETE FROM account_invitation WHERE id = \(id)")
            guard database.changesCount > 0 else { throw AccountsError.noSuchInvitation(id) }
        }
    }

    /// Uses a code up for one person, in the transaction that makes the account: of two who come at once with the last use, one is refused.
    static func use(_ code: InvitationCode, at time: Int64, in database: Database) throws {
        try database.run(
            """
            UPDATE account_invitation SET used = used + 1
            WHERE hash = \(hash(code)) AND used < uses AND endsAt > \(time)
            """
        )
        guard database.changesCount == 1 else { throw AccountsError.invitationRefused }
    }

    private static func hash(_ code: InvitationCode) -> Data {
        Data(SecretHash(of: code.digits, for: "invitation").bytes)
    }
}
