import Foundation
import GRDB
import Journal
import Storage

/// The same rows in a table of SQLite's with one prepared statement and one transaction, as one would write it in an afternoon: no checks, no records,
/// and its index of words with what FTS5 does by itself.
struct PlainStories {
    private let pool: DatabasePool

    init(_ url: URL) throws {
        let migration = Migration(
            "plain-1",
            sql: """
                CREATE TABLE story (
                    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT, content TEXT, plainText TEXT,
                    createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, happenedAt INTEGER NOT NULL,
                    latitude REAL, longitude REAL
                );
                CREATE VIRTUAL TABLE words USING fts5 (title, text, tokenize = "unicode61 remove_diacritics 2");
                """
        )
        pool = try StateDatabase.open(url, schema: Schema("plain", [[migration]]))
    }

    func insert(_ stories: [Story]) throws {
        try pool.write { database in
            let insert = try database.makeStatement(
                sql: """
                    INSERT INTO story (
                        id, title, content, plainText, createdAt, updatedAt, happenedAt, latitude, longitude
                    ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """
            )
            for story in stories {
                try insert.execute(arguments: [
                    story.id, story.title, story.content, story.plainText, story.createdAt, story.updatedAt,
                    story.happenedAt, story.place?.latitude, story.place?.longitude,
                ])
            }
        }
    }

    func index() throws {
        try pool.write {
            try $0.execute(sql: "INSERT INTO words (rowid, title, text) SELECT number, title, plainText FROM story")
        }
    }

    /// - Returns: Bytes of the texts.
    func read() throws -> Int {
        try pool.read { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT * FROM story ORDER BY id")
            var bytes = 0
            while let row = try rows.next() { bytes += (row[3] as String?)?.utf8.count ?? 0 }
            return bytes
        }
    }

    func search(_ word: String) throws -> Int {
        try pool.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT story.* FROM words JOIN story ON story.number = words.rowid WHERE words MATCH ?
                    ORDER BY happenedAt DESC LIMIT 50
                    """,
                arguments: [word]
            ).count
        }
    }

    func close() throws { try pool.close() }
}
