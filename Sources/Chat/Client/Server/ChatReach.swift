/// How a device stands with its hub, for the person who looks after it.
public enum ChatReach: Hashable, Sendable {
    /// Nobody is signed in, or the connection is not wanted.
    case off
    case connecting
    case live
    /// There is no connection; it is tried again.
    ///
    /// - Parameter reason: A sentence for the person.
    case away(reason: String)
    /// The hub has no chat. It is asked again after a long while.
    case noChat
    /// The session is over.
    case ended
}
