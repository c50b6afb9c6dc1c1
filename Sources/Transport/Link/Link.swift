/// One way to a peer, up until its ``frames()`` end. It may lose, repeat and reorder frames: the session above it
/// puts that right, and decides which of its links to use.
public protocol Link: Sendable {
    /// The kind of carrier: better kinds are used first.
    var kind: LinkKind { get }

    /// Returns when the link can take the next frame, so a slow link makes its sender wait.
    ///
    /// - Throws: When the link is down; the session then goes on with another.
    func send(_ frame: LinkFrame) async throws

    /// The frames that arrive, for one reader. Ends when the link is down, and then never comes back: a ``LinkSource`` brings
    /// a new link instead.
    func frames() -> AsyncStream<LinkFrame>

    /// The session has no answer over this link: the connection below may look whether it is still there. Returns at once.
    func doubt()

    /// A listener's side: a paired device shook hands on it. Returns at once.
    func belongs(to peer: SessionPeer)

    /// Ends it and what carries it for this peer. Closing twice is harmless.
    func close() async
}

extension Link {
    /// Asks nothing: for links that cannot tell whether they work.
    public func doubt() {}

    /// Does nothing: for links that are carried for strangers as for others.
    public func belongs(to peer: SessionPeer) {}
}
