import Accounts
import Chat
import ChatSealing
import Foundation
import GRDB
import Kernel
import Sealing
import Storage

/// One account's rows of ``SealingTables``.
struct SealingRows: Sendable {
    let database: any DatabaseWriter
    let account: Int64

    // MARK: Contacts

    func contact(_ person: UserID) async throws -> SealingContact {
        let account = account
        return try await database.read { database in
            var contact = SealingContact(person: person)
            let row = try database.row(
                "SELECT * FROM sealing_contact WHERE account = \(account) AND person = \(person.number)"
            )
            guard let row else { return contact }
            contact.generation = row["generation"]
            contact.trouble = (row["trouble"] as String?).flatMap { ChatControl.SealTrouble(rawValue: $0) }
            contact.isVerified = row["isVerified"]
            contact.pin = (row["pin"] as Data?).map { Array($0) }
            contact.allowsClear = row["allowsClear"]
            contact.hasSealed = row["hasSealed"]
            contact.sealedFrom = row["sealedFrom"]
            contact.sent = row["sent"]
            let lists = (row["lists"] as String?).map { Self.numbers($0).map { Int($0) } }
            contact.history = SealedHistory(counts: try Self.counts(database, account, person), lists: lists)
            contact.chains = try Self.chains(database, account, person)
            return contact
        }
    }

    private static func chains(_ database: Database, _ account: Int64, _ person: UserID) throws -> [AccountChain] {
        let rows = try database.rows(
            """
            SELECT generation, entry FROM sealing_list WHERE account = \(account) AND person = \(person.number)
            ORDER BY generation, number
            """
        )
        var generations: [(number: Int64, entries: [ChainEntry])] = []
        for row in rows {
            guard let entry = try? ChainEntry(JSONValue(parsing: row["entry"] as Data)) else {
                throw StorageError.damaged
            }
            let generation: Int64 = row["generation"]
            if generations.last?.number == generation {
                generations[generations.count - 1].entries.append(entry)
            } else {
                generations.append((generation, [entry]))
            }
        }
        return try generations.map { generation in
            do { return try AccountChain(generation.entries) } catch { throw StorageError.damaged }
        }
    }

    private static func counts(_ database: Database, _ account: Int64, _ person: UserID) throws -> [DID: MessageCount] {
        let rows = try database.rows(
            "SELECT * FROM sealing_count WHERE account = \(account) AND person = \(person.number)"
        )
        var counts: [DID: MessageCount] = [:]
        for row in rows {
            guard let device = try? DID(row["device"] as String) else { throw StorageError.damaged }
            counts[device] = MessageCount(newest: row["newest"], missing: numbers(row["missing"]))
        }
        return counts
    }

    private static func numbers(_ text: String) -> [Int64] { text.split(separator: " ").compactMap { Int64($0) } }

    private static func text(_ numbers: some Sequence<some BinaryInteger>) -> String {
        numbers.map { "\($0)" }.joined(separator: " ")
    }

    func save(_ contact: SealingContact) async throws {
        let account = account
        try await database.write { database in
            let person = contact.person.number
            try database.run(
                """
                INSERT OR REPLACE INTO sealing_contact (account, person, generation, trouble, isVerified, pin, allowsClear,
                    hasSealed, sealedFrom, sent, lists)
                VALUES (\(account), \(person), \(contact.generation), \(contact.trouble?.rawValue), \(contact.isVerified),
                    \(contact.pin.map { Data($0) }), \(contact.allowsClear), \(contact.hasSealed), \(contact.sealedFrom),
                    \(contact.sent), \(contact.history.lists.map { Self.text($0) }))
                """
            )
            for entry in contact.chain?.entries ?? [] {
                try database.run(
                    """
                    INSERT OR IGNORE INTO sealing_list (account, person, generation, number, entry)
                    VALUES (\(account), \(person), \(contact.generation), \(entry.number), \
                    \(Data(entry.json.canonicalBytes)))
                    """
                )
            }
            for (device, count) in contact.history.counts {
                try database.run(
                    """
                    INSERT OR REPLACE INTO sealing_count (account, person, device, newest, missing)
                    VALUES (\(account), \(person), \(device.text), \(count.newest), \(Self.text(count.missing)))
                    """
                )
            }
        }
    }

    // MARK: Keys

    /// The keys whose private halves are there, the newest first.
    func keys() async throws -> [KeptKey] {
        let account = account
        return try await database.read { database in
            try database.rows(
                "SELECT * FROM sealing_key WHERE account = \(account) AND secret IS NOT NULL ORDER BY made DESC, kid"
            ).map { row in
                guard let pair = try? ChatKeyPair(secretBytes: Array(row["secret"] as Data), madeAt: row["made"]) else {
                    throw StorageError.damaged
                }
                return KeptKey(
                    pair: pair,
                    list: row["list"],
                    isPublished: row["isPublished"],
                    succeeded: row["succeeded"]
                )
            }
        }
    }

    func add(_ pair: ChatKeyPair, list: Int) async throws {
        let account = account
        try await database.write { database in
            try database.run(
                """
                INSERT INTO sealing_key (account, kid, secret, made, list)
                VALUES (\(account), \(Data(pair.id.bytes)), \(Data(pair.secretBytes)), \(pair.made), \(list))
                """
            )
        }
    }

    /// Notes that the hub has a key, and that those before it have a successor.
    func published(_ id: ChatKeyID, at now: Int64) async throws {
        let account = account
        try await database.write { database in
            let kid = Data(id.bytes)
            try database.run(
                "UPDATE sealing_key SET isPublished = 1 WHERE account = \(account) AND kid = \(kid)"
            )
            try database.run(
                """
                UPDATE sealing_key SET succeeded = \(now)
                WHERE account = \(account) AND kid <> \(kid) AND isPublished = 1 AND succeeded IS NULL
                """
            )
        }
    }

    /// Notes that the hub has a key no more.
    func unpublish(_ id: ChatKeyID) async throws {
        let account = account
        try await database.write { database in
            try database.run(
                "UPDATE sealing_key SET isPublished = 0 WHERE account = \(account) AND kid = \(Data(id.bytes))"
            )
        }
    }

    /// Deletes private halves. What SQLite's log still has of them goes with its next checkpoint.
    func deleteSecrets(_ ids: [ChatKeyID]) async throws {
        let account = account
        try await database.write { database in
            for id in ids {
                try database.run(
                    "UPDATE sealing_key SET secret = NULL WHERE account = \(account) AND kid = \(Data(id.bytes))"
                )
            }
        }
    }

    /// Whether one of these was a key of this device, whose private half is deleted.
    func wasOwn(_ ids: [ChatKeyID]) async throws -> Bool {
        let account = account
        return try await database.read { database in
            for id in ids {
                let found: Int? = try database.value(
                    "SELECT 1 FROM sealing_key WHERE account = \(account) AND kid = \(Data(id.bytes)) AND secret IS NULL"
                )
                if found != nil { return true }
            }
            return false
        }
    }

    // MARK: Outgoing messages

    func outgoing(_ id: String) async throws -> KeptOutgoing? {
        let account = account
        return try await database.read { database in
            let row = try database.row("SELECT * FROM sealing_outgoing WHERE account = \(account) AND id = \(id)")
            guard let row else { return nil }
            guard let json = try? JSONValue(parsing: row["payload"] as Data),
                let content = SealedContent(kept: json)
            else { throw StorageError.damaged }
            let sealed = try (row["sealed"] as Data?).map { bytes in
                do { return try JSONValue(parsing: bytes) } catch { throw StorageError.damaged }
            }
            return KeptOutgoing(payload: content.payload, sealed: sealed, count: row["count"])
        }
    }

    func keep(_ id: String, _ content: SealedContent, _ sealed: SealedMessage, count: Int64, at now: Int64) async throws
    {
        let account = account
        try await database.write { database in
            try database.run(
                """
                INSERT OR REPLACE INTO sealing_outgoing (account, id, payload, sealed, count, at)
                VALUES (\(account), \(id), \(Data(content.kept.canonicalBytes)), \(Data(sealed.json.canonicalBytes)), \
                \(count), \(now))
                """
            )
        }
    }

    /// The hub refused the sealed form, and stored nothing of it.
    func forgetSealed(_ id: String) async throws {
        let account = account
        try await database.write { database in
            try database.run(
                "UPDATE sealing_outgoing SET sealed = NULL WHERE account = \(account) AND id = \(id) AND isSent = 0"
            )
        }
    }

    func noteSent(_ id: String) async throws {
        let account = account
        try await database.write { database in
            try database.run("UPDATE sealing_outgoing SET isSent = 1 WHERE account = \(account) AND id = \(id)")
        }
    }

    /// Removes what was sent before a time.
    func removeSent(before time: Int64) async throws {
        let account = account
        try await database.write { database in
            try database.run(
                "DELETE FROM sealing_outgoing WHERE account = \(account) AND isSent = 1 AND at < \(time)"
            )
        }
    }
}

extension SealingRows {
    // MARK: Files

    func add(_ objects: [(name: String, object: SealedObject)]) async throws {
        guard !objects.isEmpty else { return }
        let account = account
        try await database.write { database in
            for (name, object) in objects {
                try database.run(
                    """
                    INSERT OR IGNORE INTO sealing_object (account, name, object)
                    VALUES (\(account), \(name), \(Data(object.json.canonicalBytes)))
                    """
                )
            }
        }
    }

    func object(_ name: String) async throws -> SealedObject? {
        let account = account
        return try await database.read { database in
            let bytes: Data? = try database.value(
                "SELECT object FROM sealing_object WHERE account = \(account) AND name = \(name)"
            )
            return try bytes.map { bytes in
                guard let object = try? SealedObject(JSONValue(parsing: bytes)) else { throw StorageError.damaged }
                return object
            }
        }
    }

    /// A view-once picture is seen once.
    func removeObject(_ name: String) async throws {
        let account = account
        try await database.write { database in
            try database.run("DELETE FROM sealing_object WHERE account = \(account) AND name = \(name)")
        }
    }
}

extension SealedContent {
    /// The form on this device's disk.
    fileprivate var kept: JSONValue {
        ["contentType": .integer(Int64(contentType.rawValue)), "content": .string(text)]
    }

    fileprivate init?(kept json: JSONValue) {
        guard let type = json["contentType"]?.integerValue.flatMap({ Int(exactly: $0) }),
            let text = json["content"]?.stringValue
        else { return nil }
        self.init(MessagePayload(ContentType(rawValue: type), sent: .string(text)), count: nil)
    }
}
