/// Why a history could not be read. The description is shown to the person: what happened, then what to do.
public enum AgentHistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither the file nor its compressed or plain sibling is there, after several tries.
    case notFound(path: String)
    case denied(path: String)
    /// A folder, FIFO, socket or device.
    case notOrdinary(path: String)
    case symbolicLink(path: String)
    /// The file is shorter than the position to go on from: it was cut or replaced.
    case truncated(path: String, offset: Int64, size: Int64)
    /// No line begins at the position to go on from: the file was rewritten.
    case rewritten(path: String, offset: Int64)
    /// The file has more bytes than are read of such a file.
    case tooLarge(path: String, limit: Int64)
    /// Reading it took more of the processor's time than is given to one file.
    case tooCostly(path: String)
    /// The compressed file cannot be unpacked.
    case damaged(path: String, reason: String)
    case system(path: String, reason: String)

    public var description: String {
        switch self {
        case .notFound(let path):
            "\(path) is not there any more. The agent may have moved or deleted it; list the threads again."
        case .denied(let path):
            "\(path) may not be read by this user. Check who owns it and its permissions."
        case .notOrdinary(let path):
            "\(path) is not an ordinary file, so it is not read. Remove it from the agent's folder."
        case .symbolicLink(let path):
            "\(path) is a symbolic link, and links to files are not followed. Put the file itself into the agent's folder."
        case .truncated(let path, let offset, let size):
            "\(path) now has \(size) bytes and was read up to \(offset) before: it was cut or replaced. Read it from its beginning."
        case .rewritten(let path, let offset):
            "\(path) was rewritten: no line begins at byte \(offset) any more. Read it from its beginning."
        case .tooLarge(let path, let limit):
            "\(path) is larger than the \(limit) bytes that are read of such a file. Open it with the agent itself."
        case .tooCostly(let path):
            "\(path) takes too long to be read, so it was left. Open it with the agent itself."
        case .damaged(let path, let reason):
            "\(path) cannot be unpacked: \(reason). Restore it from a backup, or remove it."
        case .system(let path, let reason):
            "\(path) could not be read: \(reason). Check the disk and the permissions of the folder."
        }
    }
}
