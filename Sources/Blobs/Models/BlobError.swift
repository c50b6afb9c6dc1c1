import GRDB
import Kernel
import Storage
import Transfers

/// Why a blob is not taken or not given. The description is shown to the person: what happened, then what to do.
package enum BlobError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind that no feature may declare, by its name.
    case malformedKind(String)
    case notSignedIn
    /// The text says what is wrong with the request.
    case malformedRequest(String)
    case unknownKind
    /// There is no such upload of this owner (any more).
    case unknownUpload
    case unknownObject
    case empty
    case tooLarge(limit: Int64)
    /// Its first bytes are of no type that is taken here.
    case unacceptable
    case tooManyPixels(limit: Int64)
    /// The sender is to go on there.
    case wrongOffset(expected: Int64)
    case incomplete(missing: Int64)
    case checksumMismatch
    /// Something names the blob, so its uploader does not remove it any more.
    case inUse
    case bytesUsed(limit: Int64)
    case objectsUsed(limit: Int)
    case tooManyUploads(limit: Int)
    case diskFull
    case busy
    case addressExpired
    case addressForged
    /// Anything else that the disk or the database said.
    case failed(reason: String)

    package var description: String {
        switch self {
        case .malformedKind(let name): "\(name) is no kind of files. Declare a name, a folder and a limit that fit."
        case .notSignedIn: "This is for people who have signed in. Sign in, then try again."
        case .malformedRequest(let reason): "The request cannot be read: \(reason)."
        case .unknownKind: "This kind of file is not taken here. Update the app, or send another kind."
        case .unknownUpload: "This upload is not there (any more). Send the file again."
        case .unknownObject: "This file is not there (any more)."
        case .empty: "The file is empty. Choose another one."
        case .tooLarge(let limit):
            "The file is larger than \(ByteSize(limit)). Choose a smaller one, or make it smaller."
        case .unacceptable:
            "The server does not take this type of file. Choose a picture or a recording of a usual type."
        case .tooManyPixels(let limit): "The picture has more than \(limit / 1_000_000) megapixels. Make it smaller."
        case .wrongOffset(let expected): "Another part is to come: go on at byte \(expected)."
        case .incomplete(let missing): "\(missing) bytes of the file have not arrived yet. Send them, then complete it."
        case .checksumMismatch: "The file arrived damaged and was discarded. Send it again."
        case .inUse: "The file is in use where it was sent, and stays there. Remove it from there instead."
        case .bytesUsed(let limit):
            "All \(ByteSize(limit)) that the server keeps for you are used. Remove something you sent, then try again."
        case .objectsUsed(let limit):
            "The server keeps \(limit) files for you, and has so many. Remove something you sent, then try again."
        case .tooManyUploads(let limit): "\(limit) files are on their way already. Wait until one has arrived."
        case .diskFull:
            "The server's disk is full, so nothing was kept of the file. Ask who runs the server, then try again."
        case .busy: "The server has too much to write down at the moment. Try again soon."
        case .addressExpired: "The address of this file has expired. Open its page again for a new one."
        case .addressForged: "The address of this file was not made by this server. Open its page again for a new one."
        case .failed(let reason): "The server could not keep or read the file: \(reason)"
        }
    }

    /// The error to tell in place of one of the disk, the database or a transfer; others as they are.
    static func telling(_ error: any Error) -> any Error {
        switch StorageError.telling(error) {
        case let error as BlobError: error
        case let error as WrongOffset: BlobError.wrongOffset(expected: error.expected)
        case FileError.diskFull, StorageError.diskFull: BlobError.diskFull
        case StorageError.busy: BlobError.busy
        case let error as BlockingWorkError where error == .tooMuchWaits: BlobError.busy
        case TransferError.incomplete(let missing): BlobError.incomplete(missing: missing)
        case TransferError.badChunk(let reason): BlobError.malformedRequest("a part of it does not fit: \(reason)")
        case TransferError.unknown, TransferError.ended, FileError.notFound: BlobError.unknownUpload
        case let error as FileError: BlobError.failed(reason: "\(error)")
        case let error as StorageError: BlobError.failed(reason: "\(error)")
        case let error as TransferError: BlobError.failed(reason: "\(error)")
        case let error: error
        }
    }
}
