import GRDB

/// A statement that writes rows of one table: its text is built once, and it stays prepared.
struct RowInsert {
    private let statement: Statement

    /// - Parameters:
    ///   - verb: `INSERT`, or a form of it with a conflict clause.
    ///   - columns: Names with commas between them.
    init(_ database: Database, _ verb: String = "INSERT", into table: String, _ columns: String) throws {
        let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
        statement = try database.cachedStatement(sql: "\(verb) INTO \(table) (\(columns)) VALUES (\(marks))")
    }

    /// - Throws: `DatabaseError`, also for a row that a constraint of the table refuses.
    func run(_ values: [(any DatabaseValueConvertible)?]) throws {
        try statement.execute(arguments: StatementArguments(values))
    }
}
