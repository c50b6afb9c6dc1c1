/// Where uploads are written down. What a call returned for survives a power cut.
package protocol UploadJournal: Sendable {
    func records() throws -> [UploadRecord]
    func save(_ record: UploadRecord) throws
    func remove(_ id: String) throws
    /// All of them or none, with one wait for the disk.
    func saveAll(_ records: [UploadRecord]) throws
    /// All of them or none, with one wait for the disk.
    func removeAll(_ ids: [String]) throws
}
