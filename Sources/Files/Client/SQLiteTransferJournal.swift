package import GRDB
package import Logging
package import Storage
import Transfers

/// The journal of transfers in the phone's database. The database must run with `synchronous=FULL`.
package struct SQLiteTransferJournal: TransferJournal {
    package static let migrations = RecordTable.migrations(name)
    private static let name = "fileTransfer"

    private let table: RecordTable

    package init(_ database: any DatabaseWriter, logger: Logger = Logger(label: "tandem.files.journal")) {
        table = RecordTable(Self.name, in: database, logger: logger)
    }

    package func records() throws -> [TransferRecord] { try table.all() }
    package func save(_ record: TransferRecord) throws { try table.save(record, id: record.id) }
    package func remove(_ id: String) throws { try table.remove(id) }
    package func saveAll(_ records: [TransferRecord]) throws {
        try table.save(records.map { (record: $0, id: $0.id) })
    }
    package func removeAll(_ ids: [String]) throws { try table.remove(ids) }
}
