public import Kernel

/// How a signaling client behaves. Source: `docs/protocol.md`, Part 1, "Keepalive and reconnect".
public struct SignalClientConfiguration: Sendable {
    public var policy = SignalURLPolicy()
    public var connectTimeout = Duration.seconds(10)
    public var registrationTimeout = Duration.seconds(10)
    /// Between two pings. Proxies and address translators drop sockets that are quiet for longer than about 25 s.
    public var keepalive = Duration.seconds(20)
    /// How long a pong may take before the connection counts as lost.
    public var pongTimeout = Duration.seconds(10)
    /// A connection that lasted this long starts the backoff anew: two devices with one id must not chase each other.
    public var settledAfter = Duration.seconds(30)
    public var backoff = Backoff.signaling
    /// Larger frames are refused by one of the relays, which then closes the connection.
    public var maximumFrameBytes = 1 << 20

    public init() {}
}
