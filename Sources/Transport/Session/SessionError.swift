/// Why a message to a paired device was not taken. The description is shown to the person.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The connection was closed by this side.
    case closed
    /// The other device does not know this one.
    case notPaired
    case messageTooLong(bytes: Int, limit: Int)
    /// The store did not give the number that it had to give.
    case storeAnsweredNothing
    /// A link is down.
    case linkDown
    /// The other device cannot be reached now, and the message is of no use later.
    case notConnected

    public var description: String {
        switch self {
        case .closed:
            "The connection to the device was closed. Connect again."
        case .notPaired:
            "The other device no longer knows this one. Remove it here and pair again."
        case .messageTooLong(let bytes, let limit):
            "A message of \(bytes) bytes is above the limit of \(limit). Send it in smaller parts."
        case .storeAnsweredNothing:
            "The database of this device did not keep a message. Check the free space and try again."
        case .linkDown:
            "The way to the other device was lost. Another is tried."
        case .notConnected:
            "The other device is not connected right now. Check that it is on and online."
        }
    }
}
