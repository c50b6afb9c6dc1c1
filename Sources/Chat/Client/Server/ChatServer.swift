public import Chat

/// One account's way to its hub: a seam, so that the repository knows no network. ``IMAdapter`` is the one over the network; tests have one in memory.
public protocol ChatServer: Sendable {
    /// Keeps a connection until its task is cancelled, and tells what comes over it, in order. One caller at a time.
    ///
    /// - Parameter receive: Is waited for before the next thing is read, so that a slow disk slows the socket and nothing is collected in memory.
    func follow(_ receive: @escaping @Sendable (ChatServerNews) async -> Void) async

    /// Asks, over the socket where it is open and takes the request, else by HTTP.
    ///
    /// - Throws: ``ChatError/unreachable``, ``ChatError/timedOut(after:)``, ``ChatError/refused(_:)`` and what cannot be read.
    func ask<Request, Answer>(
        _ endpoint: ChatEndpoint<Request, Answer>,
        _ request: Request
    ) async throws(ChatError) -> Answer
}

/// Something that a hub tells, or that happens to the connection with it.
public enum ChatServerNews: Sendable {
    /// The connection stands: whoever follows asks for what is missing.
    case connected
    /// Messages by push, as the server has them.
    case messages([MessageData])
    case events([ChatEvent])
    /// Pushes were dropped: ask for what is missing.
    case resync
    case lost
    /// The session is over: ended elsewhere, suspended, or the account is deleted. Nothing follows.
    case ended
}
