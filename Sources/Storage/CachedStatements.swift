package import GRDB

/// Statements that stay prepared, with the values that stand in their texts.
extension Database {
    package func run(_ sql: SQL) throws {
        let (text, arguments) = try sql.build(self)
        try cachedStatement(sql: text).execute(arguments: arguments)
    }

    package func row(_ sql: SQL) throws -> Row? { try SQLRequest<Row>(literal: sql, cached: true).fetchOne(self) }

    package func rows(_ sql: SQL) throws -> [Row] { try SQLRequest<Row>(literal: sql, cached: true).fetchAll(self) }

    /// Rows that are read one by one. The statement must not be used again meanwhile.
    package func cursor(_ sql: SQL) throws -> RowCursor {
        try SQLRequest<Row>(literal: sql, cached: true).fetchCursor(self)
    }

    /// The first column of the first row.
    package func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ sql: SQL) throws -> Value? {
        try SQLRequest<Value>(literal: sql, cached: true).fetchOne(self)
    }

    /// The first column of all rows.
    package func values<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ sql: SQL) throws -> [Value] {
        try SQLRequest<Value>(literal: sql, cached: true).fetchAll(self)
    }
}
