package import Transfers

/// The journal of transfers in the phone's database.
package typealias SQLiteTransferJournal = RecordTable<TransferRecord>

extension RecordTable: TransferJournal where Record == TransferRecord {}

extension TransferRecord: JournalRecord {
    package static var tableName: String { "fileTransfer" }
}
