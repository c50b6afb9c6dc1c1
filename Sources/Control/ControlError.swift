/// Why a command did not reach the running process, or was refused by it.
public enum ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No process listens on the folder's socket.
    case notRunning(role: String, folder: String)
    /// A process listens there and says nothing.
    case notAnswering(folder: String)
    /// The system makes no connection to the folder's socket.
    case cannotConnect(folder: String, reason: String)
    /// The folder, or its socket, is closed to this user.
    case otherUser(folder: String)
    /// The socket's path does not fit into the system's 107 bytes.
    case pathTooLong(String)
    case unknownMethod(String)
    /// A parameter is missing or has the wrong type.
    case badParameter(name: String, expected: String)
    case badParameters(method: String, reason: String)
    /// Another version's, or damaged on the way.
    case unreadableAnswer
    case connectionLost
    case lineTooLong(limit: Int)
    /// The running process refused; its sentence says why.
    case refused(String)

    public var description: String {
        switch self {
        case .notRunning(let role, let folder):
            "No \(role) is running on \(folder). Start it with: tandem \(role) --state \(folder)"
        case .notAnswering(let folder):
            "What runs on \(folder) does not answer. It may be stopped: type fg where it was started."
        case .cannotConnect(let folder, let reason):
            "What runs on \(folder) cannot be asked: \(reason). Look at that folder, or name another with --state."
        case .otherUser(let folder):
            "\(folder) belongs to another user. Run this as that user, or name a folder of your own with --state."
        case .pathTooLong(let path):
            "\(path) is too long for a Unix socket (107 bytes). Choose a state folder with a shorter path."
        case .unknownMethod(let method):
            "The running process does not know \(method). It may be an older version: restart it."
        case .badParameter(let name, let expected):
            "\(name) must be \(expected)."
        case .badParameters(let method, let reason):
            "The parameters of \(method) are not right: \(reason)."
        case .unreadableAnswer:
            "The running process answered in a way that this program cannot read. It may be another version: restart it."
        case .connectionLost:
            "The running process closed the connection. Look at its log, then try again."
        case .lineTooLong(let limit):
            "An answer is longer than \(limit) bytes and was not read."
        case .refused(let message):
            message
        }
    }
}
