import Foundation
import GRDB
import Storage
import Transfers

/// The table of a store's blobs: a row for each, from the beginning of its upload until its file is gone.
struct BlobTable: Sendable {
    /// `receiving`, `finishing` (whole, and getting its place), `stored`, `deleted` (its file is to go, or has just gone).
    private static let states: [ArrivalPhase: String] = [
        .receiving: "receiving", .finishing: "finishing", .done: "stored",
    ]

    /// The table's steps. A published one never changes.
    static var migrations: [Migration] {
        [
            Migration(
                "blob-1",
                sql: """
                    CREATE TABLE blobObject (
                        id TEXT PRIMARY KEY NOT NULL,
                        key TEXT UNIQUE,
                        owner TEXT NOT NULL,
                        kind TEXT NOT NULL,
                        bytes INTEGER NOT NULL,
                        received INTEGER NOT NULL,
                        resumable INTEGER NOT NULL,
                        state TEXT NOT NULL,
                        sha256 BLOB,
                        type TEXT,
                        width INTEGER,
                        height INTEGER,
                        referenceCount INTEGER NOT NULL DEFAULT 0,
                        touchedMilliseconds INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX blobObjectOfOwner ON blobObject (owner, state, bytes);
                    CREATE INDEX blobObjectToSweep ON blobObject (state, referenceCount, touchedMilliseconds);
                    """
            )
        ]
    }

    let database: any DatabaseWriter

    // MARK: Uploads

    /// Writes a new upload down, if its owner has room for it.
    ///
    /// - Throws: ``BlobError``.
    func insert(_ record: BlobRecord, _ quota: BlobQuota) throws {
        try database.write { database in
            let used = try database.row(
                """
                SELECT count(*) AS objects, coalesce(sum(bytes), 0) AS bytes,
                    coalesce(sum(state IN ('receiving', 'finishing')), 0) AS uploads
                FROM blobObject WHERE owner = \(record.owner) AND state <> 'deleted'
                """
            )
            if let used {
                let (objects, uploads): (Int, Int) = (used["objects"], used["uploads"])
                guard uploads < quota.uploads else { throw BlobError.tooManyUploads(limit: quota.uploads) }
                guard objects < quota.objects else { throw BlobError.objectsUsed(limit: quota.objects) }
                let (bytes, isOver) = (used["bytes"] as Int64).addingReportingOverflow(record.size)
                guard !isOver, bytes <= quota.bytes else { throw BlobError.bytesUsed(limit: quota.bytes) }
            }
            try database.run(
                """
                INSERT INTO blobObject (id, owner, kind, bytes, received, resumable, state, touchedMilliseconds)
                VALUES (\(record.id), \(record.owner), \(record.kind), \(record.size), 0, \(record.isResumable), 'receiving',
                    \(Self.milliseconds(record.touchedAt)))
                """
            )
        }
    }

    /// - Throws: ``BlobError/unknownUpload`` where the row is gone, or on its way out.
    func save(_ record: BlobRecord) throws {
        let state = Self.states[record.phase] ?? "receiving"
        try database.write { database in
            try database.run(
                """
                UPDATE blobObject SET key = \(record.key?.description), bytes = \(record.size),
                    received = max(received, \(record.received.end)), state = \(state),
                    sha256 = \(record.sha256.isEmpty ? nil : Data(record.sha256)), type = \(record.type?.rawValue),
                    width = \(record.pictureSize?.width), height = \(record.pictureSize?.height),
                    touchedMilliseconds = \(Self.milliseconds(record.touchedAt))
                WHERE id = \(record.id) AND state <> 'deleted'
                """
            )
            guard database.changesCount == 1 else { throw BlobError.unknownUpload }
        }
    }

    /// Removes the row of an upload. Rows of blobs go by way of the state `deleted`.
    func remove(_ id: String) throws {
        try database.write { database in
            try database.run("DELETE FROM blobObject WHERE id = \(id) AND state IN ('receiving', 'finishing')")
        }
    }

    // MARK: Rows

    private static let columns: SQL = """
        id, key, owner, kind, bytes, received, resumable, state, sha256, type, width, height, referenceCount,
        touchedMilliseconds
        """

    /// Nil also for another owner's, and for one that is on its way out.
    func record(_ id: String, of owner: String) throws -> BlobRecord? {
        try database.read { database in
            try database.row(
                "SELECT \(Self.columns) FROM blobObject WHERE id = \(id) AND owner = \(owner) AND state <> 'deleted'"
            ).flatMap(Self.record)
        }
    }

    static func object(_ key: BlobKey, _ database: Database) throws -> BlobObject? {
        try database.row(
            "SELECT \(columns) FROM blobObject WHERE key = \(key.description) AND state = 'stored'"
        ).flatMap(record)?.object
    }

    /// Uploads that stand in one of these states and were not heard of since `date`.
    func uploads(_ state: ArrivalPhase, notTouchedSince date: Date, limit: Int) throws -> [BlobRecord] {
        try database.read { database in
            try database.rows(
                """
                SELECT \(Self.columns) FROM blobObject
                WHERE state = \(Self.states[state]) AND touchedMilliseconds < \(Self.milliseconds(date)) LIMIT \(limit)
                """
            ).compactMap(Self.record)
        }
    }

    /// Uploads that cannot go on in another request.
    func uploadsOfOneRequest(limit: Int) throws -> [BlobRecord] {
        try database.read { database in
            try database.rows(
                "SELECT \(Self.columns) FROM blobObject WHERE state = 'receiving' AND resumable = 0 LIMIT \(limit)"
            ).compactMap(Self.record)
        }
    }

    /// Marks blobs that nothing names since `date`.
    func markUnreferenced(since date: Date) throws {
        try database.write { database in
            try database.run(
                """
                UPDATE blobObject SET state = 'deleted'
                WHERE state = 'stored' AND referenceCount = 0 AND touchedMilliseconds < \(Self.milliseconds(date))
                """
            )
        }
    }

    /// Rows whose files are to go.
    func deleted(limit: Int) throws -> [(id: String, key: BlobKey?)] {
        try database.read { database in
            try database.rows("SELECT id, key FROM blobObject WHERE state = 'deleted' LIMIT \(limit)").map { row in
                (row["id"], (row["key"] as String?).flatMap(BlobKey.init))
            }
        }
    }

    func forget(_ ids: [String]) throws {
        try database.write { database in
            for id in ids { try database.run("DELETE FROM blobObject WHERE id = \(id) AND state = 'deleted'") }
        }
    }

    /// The keys of a day that have a row, of any state.
    func keys(of day: String) throws -> Set<String> {
        try database.read { database in
            // The slash is followed by the zero in ASCII.
            Set(try database.values("SELECT key FROM blobObject WHERE key > \(day + "/") AND key < \(day + "0")"))
        }
    }

    /// Those of `ids` that have a row of an upload.
    func uploads(among ids: [String]) throws -> Set<String> {
        try database.read { database in
            var known: Set<String> = []
            for id in ids {
                let state: String? = try database.value("SELECT state FROM blobObject WHERE id = \(id)")
                if state == "receiving" || state == "finishing" { known.insert(id) }
            }
            return known
        }
    }

    // MARK: References

    static func retain(_ key: BlobKey, of owner: String?, _ database: Database) throws {
        try database.run(
            """
            UPDATE blobObject SET referenceCount = referenceCount + 1
            WHERE key = \(key.description) AND state = 'stored' AND (\(owner) IS NULL OR owner = \(owner))
            """
        )
        guard database.changesCount == 1 else { throw BlobError.unknownObject }
    }

    /// - Returns: Whether it was the last reference: the row is on its way out.
    static func release(_ key: BlobKey, _ database: Database) throws -> Bool {
        try database.run(
            """
            UPDATE blobObject SET referenceCount = referenceCount - 1,
                state = CASE WHEN referenceCount = 1 THEN 'deleted' ELSE state END
            WHERE key = \(key.description) AND state = 'stored' AND referenceCount > 0
            """
        )
        guard database.changesCount == 1 else { return false }
        let state: String? = try database.value("SELECT state FROM blobObject WHERE key = \(key.description)")
        return state == "deleted"
    }

    /// Marks an object that nothing names.
    ///
    /// - Throws: ``BlobError/inUse``.
    func delete(_ id: String) throws {
        try database.write { database in
            try database.run(
                "UPDATE blobObject SET state = 'deleted' WHERE id = \(id) AND state = 'stored' AND referenceCount = 0"
            )
            guard database.changesCount == 1 else { throw BlobError.inUse }
        }
    }

    // MARK: Values

    /// Nil for a row that something damaged.
    private static func record(_ row: Row) -> BlobRecord? {
        guard let phase = states.first(where: { $0.value == row["state"] })?.key else { return nil }
        let received: Int64 = row["received"]
        let milliseconds: Int64 = row["touchedMilliseconds"]
        var record = BlobRecord(
            id: row["id"],
            owner: row["owner"],
            kind: row["kind"],
            size: row["bytes"],
            isResumable: row["resumable"],
            touchedAt: Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        )
        guard received >= 0, received <= record.size else { return nil }
        record.phase = phase
        record.received = ByteRanges(0..<received)
        record.key = (row["key"] as String?).flatMap(BlobKey.init)
        record.sha256 = (row["sha256"] as Data?).map(Array.init) ?? []
        record.type = (row["type"] as String?).flatMap(MediaType.init(rawValue:))
        if let width: Int = row["width"], let height: Int = row["height"] {
            record.pictureSize = PictureSize(width, height)
        }
        record.references = row["referenceCount"]
        return record
    }

    static func milliseconds(_ date: Date) -> Int64 { Int64((date.timeIntervalSince1970 * 1000).rounded(.down)) }
}
