import GRDB

/// The titles of new rows in the index of words. Titles that change or go are followed by triggers.
enum TitleIndex {
    /// The number of the last row, which new ones come behind.
    static func lastRow(in database: Database) throws -> Int64 {
        try Int64.fetchOne(database.cachedStatement(sql: "SELECT MAX(id) FROM file")) ?? 0
    }

    /// Adds the titles of all rows behind one. In one statement, since SQLite writes the index to its tables after each: a trigger that
    /// adds them row by row takes ten times as long.
    static func add(after row: Int64, in database: Database) throws {
        let sql = """
            INSERT INTO title_index (rowid, searchTitle)
            SELECT id, searchTitle FROM file WHERE id > ? AND searchTitle IS NOT NULL ORDER BY id
            """
        try database.cachedStatement(sql: sql).execute(arguments: [row])
    }
}
