import Transfers

/// Where blobs arrive: a row of the table, a part in the store's folder, and at the end the file at the key.
struct BlobPlace: ArrivalPlace {
    let table: BlobTable
    let disk: any BlobDisk
    let quota: BlobQuota

    /// The kind and its limits are looked at before there is a record.
    func check(_ record: BlobRecord) throws {}

    func begin(_ record: BlobRecord) throws { try table.insert(record, quota) }

    func save(_ record: BlobRecord) throws { try table.save(record) }

    func remove(_ record: BlobRecord) throws { try table.remove(record.id) }

    /// The size of what comes in one request is only bounded ahead, so there is no room to reserve for that.
    func makePart(of record: BlobRecord) throws -> any PartialFile {
        try disk.makePart(record.id, size: record.isResumable ? record.size : 0)
    }

    func openPart(of record: BlobRecord) throws -> any PartialFile { try disk.openPart(record.id) }

    func finish(_ part: any PartialFile, _ record: BlobRecord) throws {
        guard let key = record.key else { throw BlobError.unknownUpload }
        try part.finish(as: Array(key.description.utf8), replacing: false, permissions: nil, modifiedMilliseconds: nil)
    }

    /// A key is minted once, so a file that has it is this one.
    func hasArrived(_ record: BlobRecord) throws -> Bool {
        guard let key = record.key else { return false }
        return try disk.size(of: key) == record.size
    }

    func noteArrival(_ record: inout BlobRecord) throws {}

    func isUnchanged(_ record: BlobRecord) throws -> Bool { try hasArrived(record) }

    func name(of record: BlobRecord) -> String { record.id }

    func unknown(_ id: String) -> any Error { BlobError.unknownUpload }
}
