import Foundation
import GRDB
import Kernel

extension StateFolder {
    /// Lets every such change of a table of the role that runs here fail while `body` runs, as it does on a full disk.
    ///
    /// - Parameter change: SQL's word for it: `INSERT` or `DELETE`.
    func refusing(_ change: String, in table: String, _ body: () async throws -> Void) async throws {
        var configuration = Configuration()
        // The role writes too.
        configuration.busyMode = .timeout(60)
        let database = try DatabaseQueue(path: databaseURL.path, configuration: configuration)
        try await database.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER refusing BEFORE \(change) ON \(table)
                    BEGIN SELECT RAISE(ABORT, 'refused'); END
                    """
            )
        }
        let result: Result<Void, any Error>
        do {
            try await body()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // The role writes at its end what still waits, and would try for ever.
        try await database.write { try $0.execute(sql: "DROP TRIGGER refusing") }
        try result.get()
    }
}
