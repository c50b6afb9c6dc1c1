/// The limits of one client connection.
public struct WebSocketConfiguration: Sendable {
    /// The largest message either way, in bytes.
    public var maximumMessageBytes = 1024 * 1024
    /// From the first packet to the finished handshake.
    public var openTimeout = Duration.seconds(10)
    /// How long ``WebSocketConnection/close(_:reason:)`` waits for the peer's close frame.
    public var closeTimeout = Duration.seconds(3)
    /// Messages kept for a reader that is not reading. Beyond it the socket is not read, so that the peer waits.
    public var bufferedMessages = 64
    /// Bytes that may wait for the operating system before a sender waits, so that the next message is made meanwhile.
    public var writeAheadBytes = 320 * 1024
    public var trust = WebSocketTrust.system

    public init() {}
}
