public import GRDB
public import Logging
public import Storage
import Transfers

/// The journal of transfers in the phone's database. The database must run with `synchronous=FULL`.
public struct SQLiteTransferJournal: TransferJournal {
    public static let migrations = RecordTable.migrations(name)
    private static let name = "fileTransfer"

    private let table: RecordTable

    public init(_ database: any DatabaseWriter, logger: Logger = Logger(label: "tandem.files.journal")) {
        table = RecordTable(Self.name, in: database, logger: logger)
    }

    public func records() throws -> [TransferRecord] { try table.all() }
    public func save(_ record: TransferRecord) throws { try table.save(record, id: record.id) }
    public func remove(_ id: String) throws { try table.remove(id) }
}
