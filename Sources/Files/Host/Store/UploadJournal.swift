/// Where uploads are written down. What a call returned for survives a power cut.
package protocol UploadJournal: Sendable {
    func records() throws -> [UploadRecord]
    func save(_ record: UploadRecord) throws
    func remove(_ id: String) throws
}
