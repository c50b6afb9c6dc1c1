/// The limits of one connection, at the end that has it.
public struct WebSocketConfiguration: Sendable {
    /// The largest message either way, in bytes. A larger one of the peer's closes the connection with 1009.
    public var maximumMessageBytes = 1024 * 1024
    /// From the first packet to the finished handshake.
    public var openTimeout = Duration.seconds(10)
    /// How long ``WebSocketConnection/close(_:reason:)`` waits for the peer's close frame.
    public var closeTimeout = Duration.seconds(3)
    /// Messages kept for a reader that is not reading. From there on the socket is not read, so that the peer waits, until a quarter is left.
    public var bufferedMessages = 64
    /// Bytes of messages kept for such a reader, to the same effect; a single message may be longer.
    public var bufferedBytes = 16 * 1024 * 1024
    /// Bytes that may wait for the operating system before a sender waits, so that the next message is made meanwhile.
    public var writeAheadBytes = 320 * 1024
    /// The connection is asked for a sign of life when none came for so long, and given up when none comes for as long again, or when the
    /// other end takes nothing of what waits for it for as long. Nil leaves that to the connection's owner.
    public var keepAliveInterval: Duration?
    /// The subprotocols that a client offers, the best first; empty for none. See ``WebSocketPeer/subprotocol``.
    public var subprotocols: [String] = []
    /// Whom a client believes to be the server, with `wss`.
    public var trust = WebSocketTrust.system

    /// The largest message of the peer's until ``WebSocketConnection/takeLargeMessages()``, where that is less: for one that has yet to
    /// prove itself.
    package var firstMessageBytes: Int?

    public init() {}
}
