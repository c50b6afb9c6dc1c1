/// Why a restore stopped. Every case leaves the data of this device as it was. The description is shown to the person: what
/// happened, then what to do.
public enum RestoreError: Error, Hashable, Sendable {
    case needsAppUpdate(theirs: Int, ours: Int)
    case tooOld(theirs: Int, oldest: Int)
    /// In bytes. Space that is freed lets the same package go on.
    case diskFull(needed: UInt64, free: UInt64)
    /// Sizes that no disk has.
    case impossibleSize
    /// Another package came in part before.
    case otherPackage
    /// Another call is under way.
    case busy
    /// Nothing is being restored, or it is not that far.
    case notReady

    case badName(String)
    case duplicateEntry(String)
    /// More bytes, or fewer, than the entry says.
    case wrongSize(String)
    case tooLarge(String, limit: UInt64)
    /// The bytes are not those of which the manifest has the hash.
    case damagedFile(String)
    /// The manifest lists no such file.
    case unlistedFile(String)
    case missingEntry(String)
    case countMismatch(entity: String, expected: Int, found: Int)
    /// The media are more or fewer than the manifest says.
    case mediaMismatch(expected: Int, found: Int)
    /// The media do not open with the key that came.
    case keyDoesNotFit
    /// The database was left open, so it is not whole as a file.
    case databaseNotClosed
}
