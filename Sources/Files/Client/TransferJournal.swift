/// Where the phone writes down its transfers. What a call returned for survives a power cut.
package protocol TransferJournal: Sendable {
    func records() throws -> [TransferRecord]
    func save(_ record: TransferRecord) throws
    func remove(_ id: String) throws
}
