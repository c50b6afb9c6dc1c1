import GRDB

extension DatabaseWriter {
    /// Lets every removal of a row from `table` fail, as on a disk that is full.
    func refuseRemoval(from table: String) async throws {
        try await write { database in
            try database.execute(
                sql: "CREATE TRIGGER refused BEFORE DELETE ON \(table) BEGIN SELECT RAISE(ABORT, 'refused'); END"
            )
        }
    }
}
