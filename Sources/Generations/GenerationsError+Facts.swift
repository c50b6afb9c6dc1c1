public import Kernel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension GenerationsError {
    /// The error for a system's code.
    init(code: Int32, _ operation: String, _ path: String) {
        self =
            switch code {
            case ENOSPC: .diskFull
            case EDQUOT: .quotaUsed
            case EROFS: .readOnlyDisk
            case EACCES, EPERM: .notPermitted(path: path)
            case ENOENT: .notFound(path: path)
            case EEXIST where operation != "remove": .exists(path: path)
            case ENOTEMPTY, EEXIST: .notEmpty(path: path)
            case EMFILE, ENFILE: .tooManyOpenFiles
            default: .failed(operation: operation, path: path, code: code)
            }
    }
}

extension GenerationsError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .diskFull, .quotaUsed: .kind(.full, reason: "diskFull")
        case .readOnlyDisk, .notPermitted: .kind(.notAllowed, reason: "diskNotWritable")
        case .notFound, .exists, .notEmpty, .tooManyOpenFiles, .failed: .kind(.internal, reason: "diskFailed")
        case .badPath: .kind(.badRequest, reason: "badPath")
        case .tooLarge: .kind(.tooLarge, reason: "storeDamaged")
        case .damagedPointer, .missingGeneration, .missingKey: .kind(.internal, reason: "storeDamaged")
        case .empty: .kind(.notFound, reason: "storeEmpty")
        case .alreadyStaging: .kind(.exists, reason: "restoreUnderWay")
        case .notReady: .kind(.refused, reason: "restoreNotReady")
        case .nothingKept: .kind(.notFound, reason: "nothingToUndo")
        case .unsettled: .kind(.internal, reason: "commitUnsettled")
        }
    }

    public var description: String {
        switch self {
        case .diskFull: "The disk of this device is full. Free some space on it, then try again."
        case .quotaUsed: "You have used all the space that you may use on this disk. Free some of it, then try again."
        case .readOnlyDisk: "The disk of this device can only be read. Look at the disk, then try again."
        case .notPermitted(let path): "\(path) in the state folder may not be changed. Check who owns it."
        case .notFound(let path): "\(path) in the state folder is gone. Restore the state folder from a backup."
        case .exists(let path): "\(path) in the state folder is in the way. Move it elsewhere, then try again."
        case .notEmpty(let path):
            "\(path) in the state folder is not empty. Move its content elsewhere, then try again."
        case .tooManyOpenFiles: "This device has too many files open. Close other programs, then try again."
        case .failed(let operation, let path, let code):
            "The disk of this device failed to \(operation) \(path) (error \(code)). Check the disk, then try again."
        case .badPath: "A file has a name that cannot be kept on this device. Make the package again on the old device."
        case .tooLarge(let path, _): "\(path) in the state folder is damaged. Restore the state folder from a backup."
        case .damagedPointer:
            "store/CURRENT in the state folder is damaged, so nothing was touched. Restore it from a backup."
        case .missingGeneration(let name):
            "The folder store/\(name) is gone from the state folder, so nothing was touched. Restore it from a backup."
        case .missingKey(let name):
            "The key of store/\(name) is gone from the state folder. Restore the folder of keys from a backup."
        case .empty: "There is no journal on this device yet. Write something, or restore one."
        case .alreadyStaging: "Data is being received already. Finish that, or cancel it first."
        case .notReady: "The received data is not complete yet, so nothing was replaced. Wait until it is."
        case .nothingKept: "The earlier data is no longer on this device, so there is nothing to go back to."
        case .unsettled:
            """
            The disk of this device failed at the moment of the change. Start the program again: it finds out whether the old or the new data \
            is in place; one of them is, whole.
            """
        }
    }
}
