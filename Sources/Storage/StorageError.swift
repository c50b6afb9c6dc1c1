public import GRDB

/// Why something was not written down. The description is shown to the person: what happened, then what to do.
public enum StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing of the write was kept.
    case diskFull
    /// The file or its folder is read-only, gone, or another user's.
    case notWritable
    /// SQLite cannot read the file, or a row of it makes no sense.
    case damaged
    /// Too many writes wait for the disk.
    case busy
    /// SQLite's own number for anything else.
    case failed(code: Int32)

    public init(_ error: DatabaseError) {
        self =
            switch error.resultCode {
            case .SQLITE_FULL: .diskFull
            // A disk that is full can fail to grow the shared memory beside the database, too.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE: .diskFull
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: .notWritable
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: .damaged
            default: .failed(code: error.extendedResultCode.rawValue)
            }
    }

    /// The error to tell in place of a database's, which speaks of statements; any other error as it is.
    public static func telling(_ error: any Error) -> any Error {
        (error as? DatabaseError).map { StorageError($0) } ?? error
    }

    public var description: String {
        switch self {
        case .diskFull: "The disk is full, so nothing was written down. Free some space on it, then try again."
        case .notWritable:
            "The state folder cannot be written to, so nothing was written down. Look at its permissions and its disk."
        case .damaged:
            "The database in the state folder is damaged. Check the disk, and restore tandem.sqlite from a backup."
        case .busy: "Too many changes wait to be written down: the disk is slow or busy. Try again in a moment."
        case .failed(let code):
            "The database in the state folder could not write that down (SQLite error \(code)). Check its disk."
        }
    }
}
