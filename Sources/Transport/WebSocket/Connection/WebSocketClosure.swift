/// How a connection ended.
public enum WebSocketClosure: Hashable, Sendable {
    /// With a close frame from the peer; nil when it gave no code (the number 1005 of other programs).
    case byPeer(WebSocketCloseCode?, reason: String)
    /// By this side's ``WebSocketConnection/close(_:reason:)``.
    case byUs
    /// Without a close frame: the network went away, or the peer died (the number 1006 of other programs).
    case lost
    /// The peer broke the protocol, and this side closed.
    case violated(WebSocketCloseCode, reason: String)
}
