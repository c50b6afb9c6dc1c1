package import Foundation
package import GRDB

/// The result of checking a role's database.
package struct DatabaseReport: Hashable, Sendable {
    /// The schema's name: the role's.
    package let schema: String
    /// Identifiers of the steps that the database took, in the schema's order.
    package let applied: [String]
    /// Steps that run when the role starts.
    package let missing: [String]
    /// Steps of a newer version.
    package let unknown: [String]
    /// SQLite's report of damage, a few lines at most; empty when the file is whole.
    package let damage: [String]

    /// Whether this version can use the database: it is whole, and no newer version changed it.
    package var isSound: Bool { unknown.isEmpty && damage.isEmpty }
}

extension StateDatabase {
    private static let damageLimit = 10

    /// Looks whether the database is whole and which steps of its schema it took. Reads every page: for `doctor`.
    package static func check(_ database: any DatabaseReader, schema: Schema) throws -> DatabaseReport {
        try database.read { try report($0, schema) }
    }

    /// Like ``check(_:schema:)``, but does not hold up the caller's thread.
    package static func check(_ database: any DatabaseReader, schema: Schema) async throws -> DatabaseReport {
        try await database.read { try report($0, schema) }
    }

    private static func report(_ database: Database, _ schema: Schema) throws -> DatabaseReport {
        let applied = try schema.applied(in: database)
        let lines = try String.fetchAll(database, sql: "PRAGMA quick_check(\(damageLimit))")
        return DatabaseReport(
            schema: schema.name,
            applied: applied,
            missing: schema.identifiers.filter { !applied.contains($0) },
            unknown: try schema.unknown(in: database),
            damage: lines == ["ok"] ? [] : lines
        )
    }

    /// Looks at the file beside the role that runs, or while none does. The file is not made, and its tables stay as they are.
    ///
    /// - Throws: ``StateDatabaseError/cannotOpen(path:reason:)``, also for a file that is no database.
    package static func check(_ url: URL, schema: Schema) throws -> DatabaseReport {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: url.path, configuration: configuration)
            defer { try? queue.close() }  // it only read
            return try check(queue, schema: schema)
        } catch {
            throw StateDatabaseError.cannotOpen(path: url.path, reason: "\(error)")
        }
    }

    /// Copies the whole database into a new file, also while its role runs: what was committed when this began is in the copy.
    ///
    /// - Throws: ``StateDatabaseError/copyExists(path:)``; `StorageError` when the copy could not be written, and there is none then.
    package static func copy(_ database: any DatabaseReader, to url: URL) throws {
        let files = FileManager.default
        guard !files.fileExists(atPath: url.path) else { throw StateDatabaseError.copyExists(path: url.path) }
        // Under another name until it is whole.
        let unfinished = url.appendingPathExtension("unfinished")
        func clear() throws {
            for path in ["", "-journal", "-wal", "-shm"].map({ unfinished.path + $0 })
            where files.fileExists(atPath: path) {
                try files.removeItem(atPath: path)
            }
        }
        do {
            try clear()
            try makeClosedFile(unfinished)
            let copy = try DatabaseQueue(path: unfinished.path)
            try database.backup(to: copy)
            try copy.close()
            try files.moveItem(at: unfinished, to: url)
        } catch {
            try? clear()  // the error above says more
            throw StorageError.telling(error)
        }
    }
}
