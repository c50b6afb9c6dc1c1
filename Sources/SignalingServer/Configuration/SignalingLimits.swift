/// So many at once, and so many a second on average.
public struct RateLimit: Hashable, Sendable {
    public var burst: Double
    public var perSecond: Double

    public init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    public static let unlimited = RateLimit(burst: .infinity, perSecond: .infinity)
}

/// Everything a peer can make the server hold or do, bounded. Each may be set.
public struct SignalingLimits: Hashable, Sendable {
    /// One message of a client, in bytes. Beyond it the socket is closed with 1009.
    public var messageBytes = 1024 * 1024
    /// The same before a socket has registered: nothing it may send then is long.
    public var unregisteredMessageBytes = 64 * 1024
    /// One id, in bytes of UTF-8.
    public var idBytes = 256
    /// The `deviceInfo` of a registration, in bytes of JSON.
    public var deviceInfoBytes = 4096
    /// Ids of one socket, aliases included.
    public var idsPerSocket = 8

    /// Open sockets. Further ones are closed with 1013 after the handshake.
    public var connections = 20_000
    /// Open sockets from one address (of one /64 for IPv6). Loopback is exempt.
    public var connectionsPerAddress = 1024
    /// HTTP connections at once.
    public var httpConnections = 512

    /// Messages of one socket. A socket that is over it is not read until it is under it again: nothing is lost.
    public var socketMessages = RateLimit(burst: 10_000, perSecond: 2_000)
    public var socketBytes = RateLimit(burst: 64 * 1024 * 1024, perSecond: 16 * 1024 * 1024)
    /// Messages of all sockets of one address. Loopback is exempt.
    public var addressMessages = RateLimit(burst: 50_000, perSecond: 10_000)

    /// What waits for one reader that does not read, in bytes. Beyond it the reader is closed with 1013.
    /// It must hold what a sealed session keeps in flight.
    public var outgoingBytes = 4 * 1024 * 1024
    /// What waits for all readers together; beyond it a reader that is behind is closed with 1013.
    public var totalOutgoingBytes = 96 * 1024 * 1024
    /// Numbers of routes for binary frames, each way for each socket.
    public var routes = 1023

    /// Frames kept for one id that is away. The oldest goes first.
    public var mailboxFrames = 100
    /// Ids that may have frames waiting. Frames for further ones are refused.
    public var mailboxes = 10_000
    /// All waiting frames together. The oldest goes first.
    public var mailboxBytes = 256 * 1024 * 1024
    /// Waiting frames of one sender, so that one cannot push out everybody's.
    public var mailboxFramesPerSender = 1000
    public var mailboxLifetime = Duration.seconds(24 * 60 * 60)
    /// Frames on their way to the disk, in bytes. Further ones are refused.
    public var unwrittenBytes = 32 * 1024 * 1024

    /// How long a typed code's alias can be reached.
    public var aliasLifetime = Duration.seconds(5 * 60)
    /// Frames to aliases that nobody holds, of one address; then no alias can be reached from there for a while.
    public var unknownAliases = RateLimit(burst: 10, perSecond: 10.0 / 60)
    public var challengeLifetime = Duration.seconds(30)
    /// Ids whose presence one id is shown.
    public var contacts = 512

    /// A WebSocket ping that often; without a pong until the next, the socket is dead.
    public var pingInterval = Duration.seconds(30)
    /// In how many steps the sockets are visited, so that ten thousand pings do not leave at once.
    public var pingSteps = 30
    /// From the first byte to a finished handshake.
    public var handshakeTimeout = Duration.seconds(10)
    /// From a close frame to the end of the socket.
    public var closeTimeout = Duration.seconds(5)

    public init() {}
}
