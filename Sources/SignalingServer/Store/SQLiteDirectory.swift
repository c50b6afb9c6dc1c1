package import GRDB
package import Sealing
import Storage

/// The directory in SQLite, beside the mailbox.
package struct SQLiteDirectory: Directory {
    private let database: any DatabaseWriter
    private let limits: SignalingLimits

    /// - Parameter database: With ``SignalingDatabase/migrations``.
    package init(_ database: any DatabaseWriter, limits: SignalingLimits = SignalingLimits()) {
        self.database = database
        self.limits = limits
    }

    package func entries(for ids: [PeerID]) async throws -> [PeerID: DirectoryEntry] {
        try await database.read { database in
            var entries: [PeerID: DirectoryEntry] = [:]
            for id in ids where entries[id] == nil { entries[id] = try Self.entry(for: id, database) }
            return entries
        }
    }

    private static func entry(for id: PeerID, _ database: Database) throws -> DirectoryEntry {
        let owner = try database.row("SELECT key, seenAt FROM signalingKey WHERE peer = \(id.storageKey)")
        let key: String? = owner?["key"]
        let contacts = try Set(
            database.values(
                """
                SELECT sent.recipient FROM signalingContact AS sent JOIN signalingContact AS answered
                ON answered.sender = sent.recipient AND answered.recipient = sent.sender
                    WHERE sent.sender = \(id.storageKey)
                """
            ) as [String]
        )
        return DirectoryEntry(
            key: try key.map { try DID($0) },
            seenAt: owner?["seenAt"] ?? 0,
            contacts: Set(contacts.map(PeerID.init(storageKey:)))
        )
    }

    package func bind(_ bindings: [KeyBinding]) async throws -> [DID?] {
        try await database.write { [limits] database in try bindings.map { try Self.bind($0, database, limits) } }
    }

    private static func bind(_ binding: KeyBinding, _ database: Database, _ limits: SignalingLimits) throws -> DID? {
        let id = binding.id.storageKey
        let owner: String? = try database.value("SELECT key FROM signalingKey WHERE peer = \(id)")
        if let owner {
            guard owner == binding.key.text || binding.isCertified else { return try DID(owner) }
            try database.run(
                "UPDATE signalingKey SET key = \(binding.key.text), seenAt = \(binding.at) WHERE peer = \(id)"
            )
            return binding.key
        }
        guard try hasRoom(for: binding.key, database, limits), binding.mayAdd() else { return nil }
        try database.run(
            "INSERT INTO signalingKey (peer, key, seenAt) VALUES (\(id), \(binding.key.text), \(binding.at))"
        )
        return binding.key
    }

    private static func hasRoom(for key: DID, _ database: Database, _ limits: SignalingLimits) throws -> Bool {
        let own: Int? = try database.value("SELECT COUNT(*) FROM signalingKey WHERE key = \(key.text)")
        guard (own ?? 0) < limits.idsPerKey else { return false }
        return try idCount(database) < limits.knownIDs
    }

    private static func idCount(_ database: Database) throws -> Int {
        try database.value("SELECT rows FROM signalingCount WHERE name = 'key'") ?? 0
    }

    package func noteSent(_ pairs: [SentPair]) async throws -> [Bool] {
        try await database.write { [limits] database in
            let outcomes = try pairs.map { try Self.note($0, database, limit: limits.contacts) }
            try Self.dropOldestContacts(database, over: limits.contactRows)
            return outcomes
        }
    }

    private static func note(_ pair: SentPair, _ database: Database, limit: Int) throws -> Bool {
        let (sender, recipient) = (pair.sender.storageKey, pair.recipient.storageKey)
        let isMutual =
            try database.value(
                "SELECT EXISTS (SELECT 1 FROM signalingContact WHERE sender = \(recipient) AND recipient = \(sender))"
            ) ?? false
        if !pair.isRecipientHere, !isMutual {
            let isKnown: Bool? = try database.value(
                "SELECT EXISTS (SELECT 1 FROM signalingKey WHERE peer = \(recipient))"
            )
            guard isKnown == true else { return false }
        }
        try database.run(
            """
            INSERT INTO signalingContact (sender, recipient, at) VALUES (\(sender), \(recipient), \(pair.at))
            ON CONFLICT DO UPDATE SET at = excluded.at
            """
        )
        try database.run(
            """
            DELETE FROM signalingContact WHERE sender = \(sender) AND recipient IN (
                SELECT recipient FROM signalingContact WHERE sender = \(sender) ORDER BY at DESC
                    LIMIT -1 OFFSET \(limit))
            """
        )
        return isMutual
    }

    /// Pairs that heard one way only go first: one stranger alone can send, but an answer takes a second device.
    private static func dropOldestContacts(_ database: Database, over limit: Int) throws {
        let rows = try database.value("SELECT rows FROM signalingCount WHERE name = 'contact'") ?? 0
        guard rows > limit else { return }
        // Some more than needed, so that a flood does not sort every row for each one it adds.
        try database.run(
            """
            DELETE FROM signalingContact WHERE (sender, recipient) IN (
                SELECT one.sender, one.recipient FROM signalingContact AS one
                LEFT JOIN signalingContact AS other ON other.sender = one.recipient AND other.recipient = one.sender
                ORDER BY other.sender IS NOT NULL, one.at LIMIT \(rows - limit + limit / 16))
            """
        )
    }

    package func release(_ id: PeerID) async throws -> Bool {
        try await database.write { database in
            try database.run("DELETE FROM signalingKey WHERE peer = \(id.storageKey)")
            let wasOwned = database.changesCount > 0
            // Whoever proves the id next is not who the name was given to.
            try database.run("DELETE FROM signalingName WHERE peer = \(id.storageKey)")
            try database.run(
                "DELETE FROM signalingContact WHERE sender = \(id.storageKey) OR recipient = \(id.storageKey)"
            )
            return wasOwned
        }
    }

    package func sweep(unseenBefore: Int64, unheardBefore: Int64) async throws -> Int {
        try await database.write { database in
            try database.run("DELETE FROM signalingContact WHERE at < \(unheardBefore)")
            try database.run(
                """
                DELETE FROM signalingKey WHERE seenAt < \(unseenBefore)
                AND NOT EXISTS (SELECT 1 FROM signalingMailboxUse WHERE recipient = peer)
                """
            )
            try database.run(
                """
                DELETE FROM signalingName
                WHERE NOT EXISTS (SELECT 1 FROM signalingKey WHERE signalingKey.peer = signalingName.peer)
                """
            )
            return try Self.idCount(database)
        }
    }

    package func owned(after place: OwnedID.Place?, limit: Int) async throws -> [OwnedID] {
        // The first place that there is: later than any time, before any text.
        let (seenAt, id) = (place?.seenAt ?? .max, place?.id.storageKey ?? "")
        return try await database.read { database in
            try database.rows(
                """
                SELECT peer, key, seenAt FROM signalingKey
                WHERE seenAt < \(seenAt) OR (seenAt = \(seenAt) AND peer > \(id))
                ORDER BY seenAt DESC, peer LIMIT \(limit)
                """
            ).map { row in
                OwnedID(id: PeerID(storageKey: row["peer"]), key: try DID(row["key"]), seenAt: row["seenAt"])
            }
        }
    }

    package func ownedCount() async throws -> Int { try await database.read { try Self.idCount($0) } }

    package func names() async throws -> [PeerID: String] {
        try await database.read { database in
            let rows = try database.rows("SELECT peer, name FROM signalingName LIMIT \(OwnedID.nameLimit)")
            return Dictionary(rows.map { (PeerID(storageKey: $0["peer"]), $0["name"]) }) { first, _ in first }
        }
    }

    package func name(_ id: PeerID, _ name: String?) async throws -> Bool {
        try await database.write { database in
            guard let name else {
                try database.run("DELETE FROM signalingName WHERE peer = \(id.storageKey)")
                return true
            }
            let others = try database.value("SELECT COUNT(*) FROM signalingName WHERE peer != \(id.storageKey)") ?? 0
            guard others < OwnedID.nameLimit else { return false }
            try database.run(
                """
                INSERT INTO signalingName (peer, name) VALUES (\(id.storageKey), \(name))
                ON CONFLICT DO UPDATE SET name = excluded.name
                """
            )
            return true
        }
    }
}
