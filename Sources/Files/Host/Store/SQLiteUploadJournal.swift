import Foundation
package import GRDB
package import Logging
import Transfers

/// The journal of uploads in the desktop's database. The database must run with `synchronous=FULL`.
package struct SQLiteUploadJournal: UploadJournal {
    private let table: RecordTable

    package init(
        _ database: any DatabaseWriter,
        logger: Logger = Logger(label: "tandem.files.journal")
    ) throws {
        table = try RecordTable("fileUpload", in: database, logger: logger)
    }

    package func records() throws -> [UploadRecord] { try table.all() }
    package func save(_ record: UploadRecord) throws { try table.save(record, id: record.id) }
    package func remove(_ id: String) throws { try table.remove(id) }
}
