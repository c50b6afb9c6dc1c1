/// A fault of a state folder. The description says what is wrong, then what to do.
public enum StateFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotCreate(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case damagedKey(path: String)
    case inUse(path: String)
    /// A folder of something else that others may use.
    case notOurs(path: String)
    case readableByOthers(path: String, reason: String)

    public var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "The state folder \(path) could not be made: \(reason) Choose another with --state."
        case .cannotRead(let path, let reason):
            "\(path) could not be read: \(reason) Check who owns it."
        case .cannotWrite(let path, let reason):
            "\(path) could not be written: \(reason) Check the free space and who owns the folder."
        case .damagedKey(let path):
            "\(path) is damaged. Restore it from a backup, or remove it and pair again."
        case .notOurs(let path):
            """
            \(path) holds other things and is open to others. A state folder is its owner's only: choose one that is new \
            with --state, for example \(path == "/" ? "" : path)/tandem.
            """
        case .readableByOthers(let path, let reason):
            "\(path) can be read by others on this machine, and that could not be changed: \(reason). Check who owns it."
        case .inUse(let path):
            "Another process is running on \(path). Stop it, or choose another folder with --state."
        }
    }
}
