import Foundation
import GRDB
import Kernel
import Storage

/// The database of a generation that nobody sees yet. A build that fails or is killed is thrown away whole, so nothing is kept safe on the way: there is
/// no log on the disk and no waiting for it until ``finish()``. Statements are made once for each group of rows, and what rows name of each other is
/// checked at the end for all of them at once. For one thread.
final class BuildDatabase {
    private let url: URL
    private let queue: DatabaseQueue

    /// - Parameter url: Of a file that is not there.
    init(_ url: URL) throws {
        self.url = url
        // Closed to others before SQLite writes into it.
        try NewFile.open(url).close()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA journal_mode = MEMORY;
                    PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE;
                    PRAGMA cache_size = -32768;
                    """
            )
        }
        do {
            queue = try DatabaseQueue(path: url.path, configuration: configuration)
            try JournalTables.schema.apply(to: queue)
        } catch {
            throw StorageError.telling(error)
        }
    }

    /// In one transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try queue.write(body) } catch { throw StorageError.telling(error) }
    }

    func insert(_ settings: [JournalSetting]) throws {
        try insert(settings.map(\.columnValues), into: "setting", JournalSetting.columns, .settings)
    }

    func insert(_ categories: [JournalCategory]) throws {
        try insert(categories.map(\.columnValues), into: "category", JournalCategory.columns, .categories)
    }

    func insert(_ media: [Medium]) throws {
        try insert(media.map(\.columnValues), into: "medium", Medium.columns, .media)
    }

    func insert(_ stories: [Story]) throws {
        try write { database in
            let insert = try RowInsert(database, into: "story", Story.columns)
            for story in stories { try Self.unique(.stories) { try insert.run(story.columnValues) } }
        }
    }

    /// - Returns: How many were there already.
    func insert(_ relations: [StoryCategory]) throws -> Int {
        try write { database in
            let insert = try RowInsert(database, "INSERT OR IGNORE", into: "story_category", StoryCategory.columns)
            var twice = 0
            for relation in relations {
                try insert.run(relation.columnValues)
                if database.changesCount == 0 { twice += 1 }
            }
            return twice
        }
    }

    private func insert(
        _ rows: [[(any DatabaseValueConvertible)?]],
        into table: String,
        _ columns: String,
        _ kind: RecordKind
    ) throws {
        try write { database in
            let insert = try RowInsert(database, into: table, columns)
            for row in rows { try Self.unique(kind) { try insert.run(row) } }
        }
    }

    /// Ids are the only thing that a row can have in common with another one.
    private static func unique(_ kind: RecordKind, _ body: () throws -> Void) throws {
        do { try body() } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            let isTwice = [.SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE].contains(error.extendedResultCode)
            throw isTwice ? JournalError.duplicateRecord(kind) : error
        }
    }

    /// Takes media out of stories that are not there.
    ///
    /// - Returns: How many.
    func detachMedia() throws -> Int {
        try write { database in
            try database.run(
                "UPDATE medium SET story = NULL WHERE story IS NOT NULL AND story NOT IN (SELECT id FROM story)"
            )
            return database.changesCount
        }
    }

    /// Leaves the index of words to whoever opens the database: it takes longer than all the rest, and nobody searches before there is a journal.
    func leaveWords() throws {
        try write { try $0.run("INSERT INTO story_unindexed (number) SELECT number FROM story WHERE NOT isRemoved") }
    }

    /// Checks what rows name of each other and the file's own structure, closes the database, and returns when it is on the disk.
    ///
    /// - Throws: ``JournalError/danglingRecord(_:)``, `StorageError.damaged`, ``JournalError/notWritten(path:)``.
    func finish() throws -> JournalCounts {
        let counts = try write { database in
            if let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
                throw (row[0] as String) == "story_category"
                    ? JournalError.danglingRecord(.relations) : StorageError.damaged
            }
            let answer = try String.fetchOne(database, sql: "PRAGMA integrity_check")
            guard answer == "ok" else { throw StorageError.damaged }
            return try JournalReading(database).counts()
        }
        do { try queue.close() } catch { throw StorageError.telling(error) }
        try NewFile.keepBytes(of: url)
        try NewFile.keepNames(in: url.deletingLastPathComponent())
        return counts
    }
}
