/// What the links carry: the sender or the receiver of a transfer, as the session sees it.
protocol SessionPart: Actor {
    /// Set when there is something to send, or the end has come.
    nonisolated var wake: WakeSignal { get }
    /// Nil until this side knows how the transfer ended.
    var end: TransferEnd? { get }
    /// Whether the peer closes the link, because the last message was this side's.
    var hasLastWord: Bool { get }
    /// Whether this side knows the end and only waits to tell the peer.
    var isDecided: Bool { get }

    /// Before the first link: reads what is there from before a restart.
    func begin() async throws
    func linked(to peer: Handshake)
    func unlinked()
    func take(_ message: MigrationMessage) async throws
    /// The next message; nil when there is none at the moment.
    func next() async throws -> MigrationMessage?
    /// Called often while a link is there.
    func tick() async throws
    func cancel()
    /// The peer did not come back to confirm an end that this side knows.
    func giveUpOnPeer() async
    /// What keeps the links from working, for the person; nil when a link is there.
    func note(_ trouble: MigrationTransferError?)
}
