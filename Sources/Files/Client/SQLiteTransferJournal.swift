public import GRDB
public import Logging
import Transfers

/// The journal of transfers in the phone's database. The database must run with `synchronous=FULL`.
public struct SQLiteTransferJournal: TransferJournal {
    private let table: RecordTable

    public init(
        _ database: any DatabaseWriter,
        logger: Logger = Logger(label: "tandem.files.journal")
    ) throws {
        table = try RecordTable("fileTransfer", in: database, logger: logger)
    }

    public func records() throws -> [TransferRecord] { try table.all() }
    public func save(_ record: TransferRecord) throws { try table.save(record, id: record.id) }
    public func remove(_ id: String) throws { try table.remove(id) }
}
