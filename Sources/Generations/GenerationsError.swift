/// Why a store of generations could not do what it was asked. The description is shown to the person: what happened, then what to do.
public enum GenerationsError: Error, Hashable, Sendable {
    case diskFull
    case quotaUsed
    case readOnlyDisk
    case notPermitted(path: String)
    case notFound(path: String)
    case exists(path: String)
    case notEmpty(path: String)
    case tooManyOpenFiles
    /// Any other failure of the system; the code is its errno.
    case failed(operation: String, path: String, code: Int32)
    /// A name that leads out of its folder or that no disk takes.
    case badPath(String)
    case tooLarge(path: String, limit: Int)

    /// `CURRENT` does not name a generation.
    case damagedPointer
    /// The folder of the generation that `CURRENT` names is gone.
    case missingGeneration(String)
    /// The key of a generation is gone or is none.
    case missingKey(String)
    /// Nothing was written into this store yet.
    case empty
    /// Another set of data is being put together.
    case alreadyStaging
    /// Nothing is being put together, or it is not that far yet.
    case notReady
    /// No earlier set of data is kept.
    case nothingKept
    /// The disk did not say whether the commit is on it. The next start finds out.
    case unsettled
}
