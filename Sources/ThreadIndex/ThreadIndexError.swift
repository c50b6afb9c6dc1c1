package import Conversations
import Storage

/// Why the index gave no answer. The description is shown to the person: what happened, then what to do.
package enum ThreadIndexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither the index nor the agents' folders have it.
    case unknownThread(ThreadReference)
    /// A cursor that no list or search of this index gave out.
    case badCursor
    case queryTooLong(limit: Int)
    /// Its file is too large to be read, or takes too long.
    case unreadable(ThreadReference)
    /// The cache could not be read or written; the reason says why. It is made anew by itself.
    case cacheFailed(reason: String)

    package var description: String {
        switch self {
        case .unknownThread(let thread):
            "There is no thread \(thread.id) of \(thread.agent) on this computer any more. List the threads again."
        case .badCursor:
            "That place in the list is not known. Begin the list again without a cursor."
        case .queryTooLong(let limit):
            "A search has at most \(limit) characters. Search for fewer words."
        case .unreadable(let thread):
            "The file of conversation \(thread.id) is too large to be read here. Open it with \(thread.agent) itself."
        case .cacheFailed(let reason):
            "The index of threads could not be used: \(reason). It is made anew by itself; try again in a moment."
        }
    }

    /// The error for a failure of SQLite, with the reason in words.
    static func telling(_ error: any Error) -> any Error {
        switch StorageError.telling(error) {
        case StorageError.diskFull: Self.cacheFailed(reason: "the disk is full")
        case StorageError.notWritable: Self.cacheFailed(reason: "its folder cannot be written to")
        case StorageError.damaged: Self.cacheFailed(reason: "its file is damaged")
        case StorageError.busy: Self.cacheFailed(reason: "the disk is busy")
        case StorageError.failed(let code): Self.cacheFailed(reason: "SQLite error \(code)")
        case let other: other
        }
    }
}
