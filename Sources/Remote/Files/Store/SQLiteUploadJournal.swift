import Foundation
public import GRDB
public import Logging

/// The journal of uploads in the desktop's database. The database must run with `synchronous=FULL`.
public struct SQLiteUploadJournal: UploadJournal {
    private let table: RecordTable

    public init(
        _ database: any DatabaseWriter,
        logger: Logger = Logger(label: "tandem.files.journal")
    ) throws {
        table = try RecordTable("fileUpload", in: database, logger: logger)
    }

    public func records() throws -> [UploadRecord] { try table.all() }
    public func save(_ record: UploadRecord) throws { try table.save(record, id: record.id) }
    public func remove(_ id: String) throws { try table.remove(id) }
}
