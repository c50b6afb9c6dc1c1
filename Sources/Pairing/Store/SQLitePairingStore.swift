package import GRDB
import Kernel
package import Logging
package import Storage

/// Stores paired devices in a table of the role's database. A record that ``save(_:)`` returned survives a power cut.
package struct SQLitePairingStore<Record: SQLitePairingRecord>: PairingRecordStore {
    private let writer: any DatabaseWriter
    private let live: LatestValue<[Record]>
    private let logger: Logger

    /// The migrations of the record's table.
    package static var migrations: [Migration] { Record.migrations }

    /// - Parameter database: The role's database, with these ``migrations``.
    /// - Throws: SQLite's error.
    package init(_ database: any DatabaseWriter, logger: Logger = Logger(label: "tandem.pairing.store")) throws {
        writer = database
        self.logger = logger
        live = LatestValue(try writer.read { [logger] in try Self.all(in: $0, logger: logger) })
    }

    // Read from memory, because each message of a session asks. Every write refreshes it before it returns, and no
    // other process writes into a role's folder while it runs.
    package func all() -> [Record] { live.value }

    package func record(_ id: Record.ID) -> Record? { live.value.first { $0.id == id } }

    @discardableResult
    package func save(_ record: Record) async throws -> Record {
        try await write { [logger] database in
            let merged = record.replacing(try Self.record(record.id, in: database, logger: logger))
            try merged.insert(database, onConflict: .replace)
            return merged
        }
    }

    @discardableResult
    package func update(
        _ id: Record.ID,
        _ change: @escaping @Sendable (inout Record) -> Void
    ) async throws -> Record? {
        try await write { [logger] database in
            guard var record = try Self.record(id, in: database, logger: logger) else { return nil }
            change(&record)
            try record.insert(database, onConflict: .replace)
            return record
        }
    }

    package func remove(_ id: Record.ID) async throws {
        try await write { _ = try Record.deleteOne($0, id: id) }
    }

    package func removeAll() async throws {
        try await write { _ = try Record.deleteAll($0) }
    }

    package func list() -> AsyncStream<[Record]> { live.values() }

    /// - Throws: `StorageError` when the write failed; then nothing has changed.
    private func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await writer.write { [live, logger] database in
                let value = try work(database)
                let list = try Self.all(in: database, logger: logger)
                // On the writer's queue, so that lists come in order.
                database.afterNextTransaction { _ in live.set(list) }
                return value
            }
        } catch {
            throw StorageError.telling(error)
        }
    }

    private static func all(in database: Database, logger: Logger) throws -> [Record] {
        try Row.fetchAll(database, Record.all()).compactMap { Self.decode($0, logger: logger) }.sortedForPeople()
    }

    private static func record(_ id: Record.ID, in database: Database, logger: Logger) throws -> Record? {
        try Row.fetchOne(database, Record.filter(id: id)).flatMap { Self.decode($0, logger: logger) }
    }

    /// The record in a row; nil for a damaged row, whose device counts as not paired while the others stay.
    private static func decode(_ row: Row, logger: Logger) -> Record? {
        do {
            return try Record(row: row)
        } catch {
            let table = Record.databaseTableName
            logger.error("a paired device could not be read and is left out", metadata: ["table": "\(table)"])
            return nil
        }
    }
}

extension SQLitePairingStore: PairedDesktopsStore where Record == PairedDesktop {}
extension SQLitePairingStore: PairedPhonesStore where Record == PairedPhone {}
