package import Foundation
public import GRDB
import Kernel
package import Logging
package import Storage

/// Keeps waiting commands in a table of the phone's database.
///
/// A list in memory mirrors the table: it is read once, and changed on the writer's queue after each commit.
package struct SQLiteOfflineCommandStore: OfflineCommandStore {
    private let database: any DatabaseWriter
    private let live: LatestValue<[OfflineCommand]>

    /// The table `offlineCommand`.
    package static let migrations = [
        Migration(
            "remote-offlineCommand-1",
            sql: """
                CREATE TABLE offlineCommand (
                    position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, requestId TEXT NOT NULL,
                    desktopId TEXT NOT NULL, method TEXT NOT NULL, paramsJson TEXT NOT NULL, mobileDid TEXT,
                    timestamp INTEGER NOT NULL, status TEXT NOT NULL, retries INTEGER NOT NULL, errorMessage TEXT,
                    expiresAt INTEGER NOT NULL
                ) STRICT
                """
        )
    ]

    /// - Parameter database: The role's database, with these ``migrations``.
    /// - Throws: What SQLite says.
    package init(
        _ database: any DatabaseWriter,
        logger: Logger = Logger(label: "tandem.remote.queue")
    ) throws {
        self.database = database
        live = LatestValue(
            try database.write { database in
                try database.execute(sql: "UPDATE offlineCommand SET status = 'pending' WHERE status = 'sending'")
                return try Row.fetchAll(database, sql: "SELECT * FROM offlineCommand ORDER BY position")
                    .compactMap { row in
                        do {
                            return try OfflineCommand(row: row)
                        } catch {
                            logger.error("a waiting command could not be read and is left out")
                            return nil
                        }
                    }
            }
        )
    }

    package func all() -> [OfflineCommand] { live.value }

    package func list() -> AsyncStream<[OfflineCommand]> { live.values() }

    package func add(_ command: OfflineCommand, capacity: Int) async throws -> OfflineCommand? {
        try await write { list, database in
            guard !list.contains(where: { $0.id == command.id }) else { return nil }
            var evicted: OfflineCommand?
            if list.count >= capacity {
                let index = list.firstIndex { $0.status == .pending } ?? list.firstIndex { $0.status == .failed }
                evicted = index.map { list.remove(at: $0) }
            }
            if let evicted { try Self.delete([evicted.id], in: database) }
            try command.insert(database)
            list.append(command)
            return evicted
        }
    }

    @discardableResult
    package func update(
        _ id: UUID,
        _ change: @escaping @Sendable (inout OfflineCommand) -> Void
    ) async throws -> OfflineCommand? {
        try await write { list, database in
            guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
            change(&list[index])
            let command = list[index]
            try command.upsert(database)  // by its id, at the position that it has
            return command
        }
    }

    @discardableResult
    package func remove(_ id: UUID) async throws -> OfflineCommand? {
        try await write { list, database in
            guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
            try Self.delete([id], in: database)
            return list.remove(at: index)
        }
    }

    @discardableResult
    package func removeAll(for desktopID: String?) async throws -> Int {
        try await write { list, database in
            let leaving = list.filter { desktopID == nil || $0.desktopID == desktopID }
            try Self.delete(leaving.map(\.id), in: database)
            list.removeAll { desktopID == nil || $0.desktopID == desktopID }
            return leaving.count
        }
    }

    /// One transaction, then the new list: both on the writer's queue, so that lists come in order.
    private func write<Value: Sendable>(
        _ work: @escaping @Sendable (inout [OfflineCommand], Database) throws -> Value
    ) async throws -> Value {
        try await database.write { [live] database in
            var list = live.value
            let value = try work(&list, database)
            database.afterNextTransaction { [list] _ in live.set(list) }
            return value
        }
    }
}

extension SQLiteOfflineCommandStore {
    private static func delete(_ ids: [UUID], in database: Database) throws {
        let ids = ids.map { OfflineCommand.text(of: $0) }
        try OfflineCommand.filter(ids.contains(Column("id"))).deleteAll(database)
    }
}

extension OfflineCommand: FetchableRecord, PersistableRecord {
    /// The table of ``SQLiteOfflineCommandStore``.
    public static var databaseTableName: String { "offlineCommand" }

    /// Stores ids as text in small letters, as the wire has them.
    public static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
        .lowercaseString
    }
}
