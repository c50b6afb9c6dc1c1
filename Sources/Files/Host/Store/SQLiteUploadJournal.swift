package import Transfers

/// The journal of uploads in the desktop's database.
package typealias SQLiteUploadJournal = RecordTable<UploadRecord>

extension RecordTable: UploadJournal where Record == UploadRecord {}

extension UploadRecord: JournalRecord {
    package static var tableName: String { "fileUpload" }
}
