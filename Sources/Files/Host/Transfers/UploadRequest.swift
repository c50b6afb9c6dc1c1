import Files
import Foundation
import Transfers

/// A phone's request for an upload.
struct UploadRequest: Sendable {
    var folder: FileLocation
    var name: [UInt8]
    var size: Int64
    var checksum: String?
    var checksumKey: Data?
    var source: String?
    var chunkSize: Int
    var replaces: Bool
    var permissions: UInt32?
    var modifiedMilliseconds: Int64?
    var isResumable: Bool
    /// The id of an earlier transfer that is to go on.
    var resume: TransferID?

    init(_ params: RequestUpload, folder: FileLocation) {
        self.folder = folder
        name = FileNameText.bytes(params.fileName)
        size = params.fileSize
        checksum = params.checksum
        checksumKey = params.checksumKey.map { Data($0) }
        source = params.source
        chunkSize = Int(params.chunkSize ?? Int64(FileLimits.documentedChunk))
        replaces = params.replaces
        permissions = params.permissions
        modifiedMilliseconds = params.modifiedMilliseconds
        isResumable = params.isResumable
        resume = params.resume
    }

    func record(id: TransferID, caller: String, folder: [UInt8], now: Date) -> UploadRecord {
        UploadRecord(
            id: id.hexadecimal,
            caller: caller,
            folder: Data(folder),
            name: Data(name),
            size: size,
            checksum: checksum,
            checksumKey: checksumKey,
            source: source,
            chunkSize: chunkSize,
            replaces: replaces,
            permissions: permissions,
            modifiedMilliseconds: modifiedMilliseconds,
            isResumable: isResumable,
            touchedAt: now
        )
    }

    /// Whether `record` is the same file to the same place: its partial file is then of use.
    func continues(_ record: UploadRecord, folder: [UInt8]) -> Bool {
        let isSameVersion =
            (checksum != nil && checksum == record.checksum) || (source != nil && source == record.source)
        // A file that has its name already cannot be given other permissions or another date: it is sent anew.
        let isOver = record.phase == .done
        let hasSameWishes = permissions == record.permissions && modifiedMilliseconds == record.modifiedMilliseconds
        return isSameVersion && record.folder == Data(folder) && record.name == Data(name) && record.size == size
            && (!isOver || hasSameWishes)
    }

    /// Puts this request's wishes into the record of an earlier one: the last word counts for everything but the content.
    ///
    /// - Returns: Whether that changed anything.
    func renew(_ record: inout UploadRecord) -> Bool {
        let before = record
        record.replaces = replaces
        record.permissions = permissions
        record.modifiedMilliseconds = modifiedMilliseconds
        record.isResumable = isResumable
        return record != before
    }
}
