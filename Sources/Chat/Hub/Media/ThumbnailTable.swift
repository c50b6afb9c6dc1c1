import Foundation
import GRDB
import Storage

/// The thumbnails of pictures that were uploaded for everybody to see, beside their rows in the store of files: a row comes with the picture and goes
/// with it, in the same transaction.
enum ThumbnailTable {
    /// The numbers are on disk.
    private enum Stage: Int {
        case wanted = 0
        case made = 1
        /// The picture cannot be read.
        case failed = 2
    }

    /// After those of the store of files.
    static let migrations = [
        Migration(
            "chat-thumbnail-1",
            sql: """
                CREATE TABLE chat_thumbnail (
                    id INTEGER PRIMARY KEY,
                    objectKey TEXT NOT NULL UNIQUE,
                    -- See ThumbnailTable.Stage.
                    stage INTEGER NOT NULL DEFAULT 0,
                    blurHash TEXT,
                    jpeg BLOB
                ) STRICT;
                CREATE INDEX chat_thumbnail_wanted ON chat_thumbnail (id) WHERE stage = 0;
                INSERT INTO chat_thumbnail (objectKey)
                    SELECT key FROM blobObject WHERE state = 'stored' AND kind = 'chat_image';
                CREATE TRIGGER chat_thumbnail_come AFTER UPDATE OF state ON blobObject
                    WHEN NEW.state = 'stored' AND OLD.state <> 'stored' AND NEW.kind = 'chat_image'
                    BEGIN INSERT OR IGNORE INTO chat_thumbnail (objectKey) VALUES (NEW.key); END;
                CREATE TRIGGER chat_thumbnail_go AFTER UPDATE OF state ON blobObject
                    WHEN NEW.state = 'deleted' AND NEW.key IS NOT NULL
                    BEGIN DELETE FROM chat_thumbnail WHERE objectKey = NEW.key; END;
                """
        )
    ]

    /// The key of the picture that has waited longest.
    static func next(in database: Database) throws -> String? {
        try database.value("SELECT objectKey FROM chat_thumbnail WHERE stage = 0 ORDER BY id LIMIT 1")
    }

    /// Keeps a thumbnail; nothing where the picture is gone meanwhile.
    static func keep(_ jpeg: [UInt8], _ blurHash: String, of key: String, in database: Database) throws {
        try database.run(
            """
            UPDATE chat_thumbnail SET stage = \(Stage.made.rawValue), jpeg = \(Data(jpeg)), blurHash = \(blurHash)
            WHERE objectKey = \(key)
            """
        )
    }

    static func giveUp(_ key: String, in database: Database) throws {
        try database.run("UPDATE chat_thumbnail SET stage = \(Stage.failed.rawValue) WHERE objectKey = \(key)")
    }

    static func blurHash(of key: String, in database: Database) throws -> String? {
        try database.value("SELECT blurHash FROM chat_thumbnail WHERE objectKey = \(key)")
    }

    static func jpeg(of key: String, in database: Database) throws -> [UInt8]? {
        let data: Data? = try database.value("SELECT jpeg FROM chat_thumbnail WHERE objectKey = \(key)")
        return data.map(Array.init)
    }
}
