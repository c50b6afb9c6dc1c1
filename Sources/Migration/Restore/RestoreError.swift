/// Why a restore stopped. The data of this device is as it was. The description is shown to the person: what happened, then what to do.
public enum RestoreError: Error, Hashable, Sendable {
    /// In bytes. Once space is free the same package goes on.
    case diskFull(needed: UInt64, free: UInt64)
    /// Sizes that no disk has, or that contradict each other.
    case impossibleSize
    /// Another package came in part before.
    case otherPackage
    /// Another call is under way.
    case busy
    /// Nothing was restored that could be committed.
    case notReady
    /// A file's name that cannot be kept on this device.
    case badName(String)
    /// Two files of one name, as this device sees names.
    case duplicateFile(String)
    /// The package's parts came in another order than they may.
    case outOfOrder
    /// Bytes that are no key.
    case badKey
    /// None of several media opens with the key that came.
    case keyDoesNotFit
    /// The database has other numbers of records than came.
    case recordsLost(String, expected: Int, found: Int)
    /// The database was left open, so its file is not all of it.
    case databaseNotClosed
    /// The report of the restored data is gone.
    case reportLost
}
