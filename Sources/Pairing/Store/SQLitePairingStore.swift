import Foundation
public import GRDB
import Kernel
public import Logging
import Storage

/// Keeps paired devices in a table of the role's database. What ``save(_:)`` returned survives a power cut.
public struct SQLitePairingStore<Record: SQLitePairingRecord>: PairingRecordStore {
    private let writer: any DatabaseWriter
    private let live: LatestValue<[Record]>
    private let logger: Logger

    /// - Parameter database: The role's database, from `StateDatabase`; the table is made when it is missing.
    public init(_ database: any DatabaseWriter, logger: Logger = Logger(label: "tandem.pairing.store")) throws {
        writer = database
        self.logger = logger
        var migrator = DatabaseMigrator()
        migrator.registerMigration("pairing-\(Record.table)-1") { try $0.execute(sql: Record.schema) }
        for (index, addition) in Record.additions.enumerated() {
            migrator.registerMigration("pairing-\(Record.table)-\(index + 2)") { try $0.execute(sql: addition) }
        }
        try migrator.migrate(writer)
        live = LatestValue(try writer.read { [logger] in try Self.all(in: $0, logger: logger) })
    }

    // From memory, which every write refreshes before it returns: each message of a session asks, and nobody else writes
    // into a role's folder while it runs.
    public func all() -> [Record] { live.value }

    public func record(_ id: Record.ID) -> Record? { live.value.first { $0.id == id } }

    @discardableResult
    public func save(_ record: Record) async throws -> Record {
        try await write { [logger] database in
            let merged = record.replacing(try Self.record(record.id, in: database, logger: logger))
            try Self.insert(merged, into: database)
            return merged
        }
    }

    @discardableResult
    public func update(
        _ id: Record.ID,
        _ change: @escaping @Sendable (inout Record) -> Void
    ) async throws -> Record? {
        try await write { [logger] database in
            guard var record = try Self.record(id, in: database, logger: logger) else { return nil }
            change(&record)
            try Self.insert(record, into: database)
            return record
        }
    }

    public func remove(_ id: Record.ID) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM \(Record.table) WHERE \(Record.idColumn) = ?",
                arguments: [Record.text(of: id)]
            )
        }
    }

    public func removeAll() async throws {
        try await write { try $0.execute(sql: "DELETE FROM \(Record.table)") }
    }

    public func list() -> AsyncStream<[Record]> { live.values() }

    /// - Throws: `StorageError` when it could not be written down; then nothing has changed.
    private func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            return try await commit(work)
        } catch {
            throw StorageError.telling(error)
        }
    }

    /// One transaction, then the new list for the readers: on the writer's queue, so that lists come in order.
    private func commit<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await writer.writeWithoutTransaction { [live, logger] database in
            var value: Value?
            try database.inTransaction(.immediate) {
                value = try work(database)
                return .commit
            }
            live.set(try Self.all(in: database, logger: logger))
            guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return value
        }
    }

    private static func all(in database: Database, logger: Logger) throws -> [Record] {
        try Row.fetchAll(database, sql: "SELECT * FROM \(Record.table)")
            .compactMap { Self.decode($0, logger: logger) }
            .sortedForPeople()
    }

    private static func record(_ id: Record.ID, in database: Database, logger: Logger) throws -> Record? {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM \(Record.table) WHERE \(Record.idColumn) = ?",
            arguments: [Record.text(of: id)]
        ).flatMap { Self.decode($0, logger: logger) }
    }

    /// Nil for a row that something damaged: it is as if that device had not been paired, and the others stay.
    private static func decode(_ row: Row, logger: Logger) -> Record? {
        let columns = Dictionary(
            row.map { ($0.0, SQLiteValue($0.1)) },
            uniquingKeysWith: { first, _ in first }
        )
        guard let record = Record(columns: columns) else {
            logger.error("a paired device could not be read and is left out", metadata: ["table": "\(Record.table)"])
            return nil
        }
        return record
    }

    private static func insert(_ record: Record, into database: Database) throws {
        let columns = record.columns.sorted { $0.key < $1.key }
        let names = columns.map(\.key).joined(separator: ", ")
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try database.execute(
            sql: "INSERT OR REPLACE INTO \(Record.table) (\(names)) VALUES (\(places))",
            arguments: StatementArguments(columns.map(\.value.databaseValue))
        )
    }
}

extension SQLitePairingStore: PairedDesktopsStore where Record == PairedDesktop {}
extension SQLitePairingStore: PairedPhonesStore where Record == PairedPhone {}

extension SQLiteValue {
    fileprivate init(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let integer): self = .integer(integer)
        case .string(let text): self = .text(text)
        case .blob(let data): self = .bytes(Array(data))
        case .double, .null: self = .null
        }
    }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }
}
