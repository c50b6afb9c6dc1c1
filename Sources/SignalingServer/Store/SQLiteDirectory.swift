public import GRDB
public import Sealing

/// The directory in SQLite, beside the mailbox.
public struct SQLiteDirectory: Directory {
    private let database: any DatabaseWriter
    private let limits: SignalingLimits

    /// - Throws: What SQLite says.
    public init(_ database: any DatabaseWriter, limits: SignalingLimits = SignalingLimits()) throws {
        try SignalingDatabase.prepare(database)
        self.database = database
        self.limits = limits
    }

    public func entries(for ids: [PeerID]) async throws -> [PeerID: DirectoryEntry] {
        try await database.read { database in
            var entries: [PeerID: DirectoryEntry] = [:]
            for id in ids where entries[id] == nil { entries[id] = try Self.entry(for: id, database) }
            return entries
        }
    }

    private static func entry(for id: PeerID, _ database: Database) throws -> DirectoryEntry {
        let key = try String.fetchOne(
            database,
            sql: "SELECT key FROM signalingKey WHERE peer = ?",
            arguments: [id.storageKey]
        )
        let contacts = try String.fetchSet(
            database,
            sql: """
                SELECT sent.recipient FROM signalingContact AS sent JOIN signalingContact AS answered
                ON answered.sender = sent.recipient AND answered.recipient = sent.sender WHERE sent.sender = ?
                """,
            arguments: [id.storageKey]
        )
        return DirectoryEntry(key: try key.map { try DID($0) }, contacts: Set(contacts.map(PeerID.init(storageKey:))))
    }

    public func bind(_ key: DID, to id: PeerID) async throws -> DID {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO signalingKey (peer, key) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [id.storageKey, key.text]
            )
            let bound = try String.fetchOne(
                database,
                sql: "SELECT key FROM signalingKey WHERE peer = ?",
                arguments: [id.storageKey]
            )
            return try bound.map { try DID($0) } ?? key
        }
    }

    public func noteSent(_ pairs: [SentPair]) async throws -> [Bool] {
        try await database.write { [limits] database in
            try pairs.map { try Self.note($0, database, limit: limits.contacts) }
        }
    }

    private static func note(_ pair: SentPair, _ database: Database, limit: Int) throws -> Bool {
        let (sender, recipient) = (pair.sender.storageKey, pair.recipient.storageKey)
        try database.execute(
            sql: """
                INSERT INTO signalingContact (sender, recipient, at) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET at = excluded.at
                """,
            arguments: [sender, recipient, pair.at]
        )
        try database.execute(
            sql: """
                DELETE FROM signalingContact WHERE sender = ? AND recipient IN (
                    SELECT recipient FROM signalingContact WHERE sender = ? ORDER BY at DESC LIMIT -1 OFFSET ?)
                """,
            arguments: [sender, sender, limit]
        )
        return try Bool.fetchOne(
            database,
            sql: "SELECT EXISTS (SELECT 1 FROM signalingContact WHERE sender = ? AND recipient = ?)",
            arguments: [recipient, sender]
        ) ?? false
    }
}
