/// Why a feature's route cannot be served. The description is for the engineer or operator who gave it: what happened, then what to do.
public enum RouteError: Error, Hashable, Sendable, CustomStringConvertible {
    case malformedPath(String)
    case malformedSubprotocol(String)
    case boundOutOfRange(path: String, bytes: Int, limit: Int)
    /// Two routes of one port, or one and the server's own, answer the same.
    case taken(path: String)
    /// Routes name a port of their own with different numbers, or give a number that is no port.
    case unclearPort(name: String)
    /// A request's body is longer than its route takes.
    case bodyTooLarge(limit: Int)
    /// Two readers asked for a request's body at once.
    case bodyReadTwice

    public var description: String {
        switch self {
        case .malformedPath(let path):
            "\(path) is no path of a route. It begins with a slash and looks like /threads/{thread}/media."
        case .malformedSubprotocol(let name):
            "\(name) is no name of a subprotocol. Use letters, digits, dots and dashes."
        case .boundOutOfRange(let path, let bytes, let limit):
            "The bound of \(path) is \(bytes) bytes. Give one from 1 to \(limit)."
        case .taken(let path):
            "Two parts of this program answer \(path) on the same port. Give one of them another path or port."
        case .unclearPort(let name):
            "The port \(name) has no number, or two. Give all routes on it the same number from 0 to 65535."
        case .bodyTooLarge(let limit):
            "The body of a request is at most \(limit) bytes here. Send less at once."
        case .bodyReadTwice:
            "A request's body has one reader. Read it in one place."
        }
    }
}
