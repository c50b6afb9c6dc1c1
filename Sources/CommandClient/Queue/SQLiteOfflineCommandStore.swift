public import Foundation
public import GRDB
import Kernel
public import Logging

/// Keeps waiting commands in a table of the phone's database.
///
/// A list in memory mirrors the table: it is read once, and changed on the writer's queue after each commit.
public struct SQLiteOfflineCommandStore: OfflineCommandStore {
    private let database: any DatabaseWriter
    private let live: LatestValue<[OfflineCommand]>

    /// - Parameter database: The role's database, from `StateDatabase`; the table is made when it is missing.
    public init(
        _ database: any DatabaseWriter,
        logger: Logger = Logger(label: "tandem.remote.queue")
    ) throws {
        self.database = database
        var migrator = DatabaseMigrator()
        migrator.registerMigration("remote-offlineCommand-1") { try $0.execute(sql: Self.schema) }
        try migrator.migrate(database)
        live = LatestValue(
            try database.write { database in
                try database.execute(sql: "UPDATE offlineCommand SET status = 'pending' WHERE status = 'sending'")
                return try Row.fetchAll(database, sql: "SELECT * FROM offlineCommand ORDER BY position")
                    .compactMap { row in
                        let command = OfflineCommand(row: row)
                        if command == nil { logger.error("a waiting command could not be read and is left out") }
                        return command
                    }
            }
        )
    }

    public func all() -> [OfflineCommand] { live.value }

    public func list() -> AsyncStream<[OfflineCommand]> { live.values() }

    public func add(_ command: OfflineCommand, capacity: Int) async throws -> OfflineCommand? {
        try await write { list, database in
            guard !list.contains(where: { $0.id == command.id }) else { return nil }
            var evicted: OfflineCommand?
            if list.count >= capacity {
                let index = list.firstIndex { $0.status == .pending } ?? list.firstIndex { $0.status == .failed }
                evicted = index.map { list.remove(at: $0) }
            }
            if let evicted { try Self.delete([evicted.id], in: database) }
            try Self.insert(command, in: database)
            list.append(command)
            return evicted
        }
    }

    @discardableResult
    public func update(
        _ id: UUID,
        _ change: @escaping @Sendable (inout OfflineCommand) -> Void
    ) async throws -> OfflineCommand? {
        try await write { list, database in
            guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
            change(&list[index])
            let command = list[index]
            try database.execute(
                sql: """
                    UPDATE offlineCommand SET requestId = ?, status = ?, retries = ?, errorMessage = ?, expiresAt = ?
                    WHERE id = ?
                    """,
                arguments: [
                    OfflineCommand.text(of: command.requestID), command.status.rawValue, command.retries,
                    command.errorMessage, command.expiresAtMilliseconds, OfflineCommand.text(of: id),
                ]
            )
            return command
        }
    }

    @discardableResult
    public func remove(_ id: UUID) async throws -> OfflineCommand? {
        try await write { list, database in
            guard let index = list.firstIndex(where: { $0.id == id }) else { return nil }
            try Self.delete([id], in: database)
            return list.remove(at: index)
        }
    }

    @discardableResult
    public func removeAll(for desktopID: String?) async throws -> Int {
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
        try await database.writeWithoutTransaction { [live] database in
            var list = live.value
            var value: Value?
            try database.inTransaction(.immediate) {
                value = try work(&list, database)
                return .commit
            }
            live.set(list)
            guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return value
        }
    }
}

extension SQLiteOfflineCommandStore {
    private static let schema = """
        CREATE TABLE offlineCommand (
            position INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, requestId TEXT NOT NULL,
            desktopId TEXT NOT NULL, method TEXT NOT NULL, paramsJson TEXT NOT NULL, mobileDid TEXT,
            timestamp INTEGER NOT NULL, status TEXT NOT NULL, retries INTEGER NOT NULL, errorMessage TEXT,
            expiresAt INTEGER NOT NULL
        ) STRICT
        """

    private static func insert(_ command: OfflineCommand, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO offlineCommand (id, requestId, desktopId, method, paramsJson, mobileDid, timestamp, status,
                    retries, errorMessage, expiresAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                OfflineCommand.text(of: command.id), OfflineCommand.text(of: command.requestID), command.desktopID,
                command.method, command.paramsJSON, command.mobileDID, command.timestampMilliseconds,
                command.status.rawValue, command.retries, command.errorMessage, command.expiresAtMilliseconds,
            ]
        )
    }

    private static func delete(_ ids: [UUID], in database: Database) throws {
        for id in ids {
            try database.execute(
                sql: "DELETE FROM offlineCommand WHERE id = ?",
                arguments: [OfflineCommand.text(of: id)]
            )
        }
    }
}

extension OfflineCommand {
    /// Nil when the columns are not a command. The table is strict: every value has its column's type.
    fileprivate init?(row: Row) {
        let id: String = row["id"]
        let requestID: String = row["requestId"]
        let status: String = row["status"]
        guard let id = UUID(uuidString: id), let requestID = UUID(uuidString: requestID),
            let status = Status(rawValue: status)
        else { return nil }
        self.init(
            id: id,
            requestID: requestID,
            desktopID: row["desktopId"],
            method: row["method"],
            paramsJSON: row["paramsJson"],
            mobileDID: row["mobileDid"],
            timestampMilliseconds: row["timestamp"],
            status: status,
            retries: row["retries"],
            errorMessage: row["errorMessage"],
            expiresAtMilliseconds: row["expiresAt"]
        )
    }
}
