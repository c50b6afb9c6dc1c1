import Files
import Foundation
import Transfers

/// A phone's request for an upload.
struct UploadRequest: Sendable {
    var params: RequestUpload
    var folder: FileLocation

    var checksumKey: Data? { params.checksumKey.map { Data($0) } }
    private var name: Data { Data(FileNameText.bytes(params.fileName)) }

    func record(id: TransferID, caller: String, folder: [UInt8], now: Date) -> UploadRecord {
        var record = UploadRecord(
            id: id.hexadecimal,
            caller: caller,
            folder: Data(folder),
            name: name,
            size: params.fileSize,
            checksum: params.checksum,
            checksumKey: checksumKey,
            source: params.source,
            chunkSize: Int(params.chunkSize ?? Int64(FileLimits.documentedChunk)),
            replaces: params.replaces,
            permissions: params.permissions,
            modifiedMilliseconds: params.modifiedMilliseconds,
            isResumable: params.isResumable,
            touchedAt: now
        )
        record.received = params.holes
        record.basedOn = params.basedOn
        return record
    }

    /// Whether `record` is the same file to the same place: its partial file is then of use.
    func continues(_ record: UploadRecord, _ id: TransferID, folder: [UInt8]) -> Bool {
        guard params.resume == nil || params.resume == id else { return false }
        let isSameVersion =
            (params.checksum != nil && params.checksum == record.checksum)
            || (params.source != nil && params.source == record.source)
        // A file that has its name already cannot be given other permissions or another date: it is sent anew.
        let isOver = record.phase == .done
        let hasSameWishes =
            params.permissions == record.permissions && params.modifiedMilliseconds == record.modifiedMilliseconds
        return isSameVersion && record.folder == Data(folder) && record.name == name && record.size == params.fileSize
            && (!isOver || hasSameWishes)
    }

    /// Puts this request's wishes into the record of an earlier one: the last word counts for everything but the content.
    ///
    /// - Returns: Whether that changed anything.
    func renew(_ record: inout UploadRecord) -> Bool {
        let before = record
        record.replaces = params.replaces
        record.permissions = params.permissions
        record.modifiedMilliseconds = params.modifiedMilliseconds
        record.isResumable = params.isResumable
        record.checksumKey = checksumKey
        record.basedOn = params.basedOn
        return record != before
    }
}
