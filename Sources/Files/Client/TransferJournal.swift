/// Where the phone writes down its transfers. What a call returned for survives a power cut.
package protocol TransferJournal: Sendable {
    /// All that are kept, of every computer.
    func records() throws -> [TransferRecord]
    /// Replaces the record with the same id.
    func save(_ record: TransferRecord) throws
    /// Does nothing where no record has the id.
    func remove(_ id: String) throws
    /// All of them or none, with one wait for the disk.
    func saveAll(_ records: [TransferRecord]) throws
    /// All of them or none, with one wait for the disk.
    func removeAll(_ ids: [String]) throws
}
