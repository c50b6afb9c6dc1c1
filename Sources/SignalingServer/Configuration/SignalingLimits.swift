/// A limit on a rate: so many at once, and so many a second on average.
package struct RateLimit: Hashable, Sendable {
    /// The most at once, after a time of quiet.
    package var burst: Double
    /// The most a second, on average.
    package var perSecond: Double

    package init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// No limit, for what is not metered.
    package static let unlimited = RateLimit(burst: .infinity, perSecond: .infinity)
}

/// Everything a peer can make the server hold or do, bounded. Each may be set.
package struct SignalingLimits: Hashable, Sendable {
    /// One message of a client, in bytes. Beyond it the socket is closed with 1009.
    package var messageBytes = 1024 * 1024
    /// One message before a socket has registered, in bytes: nothing it may send then is long.
    package var unregisteredMessageBytes = 64 * 1024
    /// Messages that have not arrived whole, of all sockets together. Beyond it the socket whose message began first is closed with
    /// 1013.
    package var arrivalBytes = 64 * 1024 * 1024
    /// From a message's first byte to its last. Beyond it the socket is closed with 1008.
    package var arrivalTimeout = Duration.seconds(30)
    /// One id, in bytes of UTF-8.
    package var idBytes = 256
    /// The `deviceInfo` of a registration, in bytes of JSON.
    package var deviceInfoBytes = 4096
    /// Ids of one socket, aliases included.
    package var idsPerSocket = 8

    /// Open sockets, never more than the process may have descriptors, less 256. Beyond it the oldest socket that has not registered
    /// gives way; where all have, the new one is closed with 1013 after the handshake.
    package var connections = 20_000
    /// Places among ``connections`` kept free for holders of unmetered keys: on a computer's own server its paired phones.
    package var reservedConnections = 0
    /// Places among the others kept free for addresses that hold none of them.
    package var newcomerConnections = 0
    /// Open sockets from one address (of one /64 for IPv6). Loopback is exempt.
    package var connectionsPerAddress = 1024
    /// Sockets in their handshake, of HTTP, or without an id, together. Beyond it the oldest gives way.
    package var arrivingConnections = 4096
    /// HTTP connections at once. Beyond it the oldest gives way.
    package var httpConnections = 512
    /// How long an HTTP connection may stay, whatever it does.
    package var httpLifetime = Duration.seconds(60)
    /// Addresses whose limits are remembered; further ones share one.
    package var addresses = 65_536
    /// From the WebSocket handshake to the first registration.
    package var registrationTimeout = Duration.seconds(10)

    /// Messages of one socket. A socket that is over it is not read until it is under it again: nothing is lost.
    package var socketMessages = RateLimit(burst: 10_000, perSecond: 2_000)
    /// Bytes of one socket's messages. One that is over it is not read until it is under it again.
    package var socketBytes = RateLimit(burst: 64 * 1024 * 1024, perSecond: 16 * 1024 * 1024)
    /// Messages of all sockets of one address. Loopback is exempt.
    package var addressMessages = RateLimit(burst: 50_000, perSecond: 10_000)

    /// Registrations of all sockets of one address. Loopback is exempt.
    package var addressRegistrations = RateLimit(burst: 2_000, perSecond: 100)

    /// Bytes that wait for one reader that does not read. Beyond it the reader is closed with 1013.
    /// It must hold what a sealed session keeps in flight.
    package var outgoingBytes = 4 * 1024 * 1024
    /// Bytes that wait for all readers together; beyond it a reader that is behind is closed with 1013.
    package var totalOutgoingBytes = 96 * 1024 * 1024
    /// Numbers of routes for binary frames, each way for each socket.
    package var routes = 1023

    /// Frames kept for one id that is away. The oldest goes first.
    package var mailboxFrames = 100
    /// Ids that may have frames waiting. Frames for further ones are refused.
    package var mailboxes = 10_000
    /// All waiting frames together. The oldest goes first.
    package var mailboxBytes = 256 * 1024 * 1024
    /// Waiting frames of one sender, so that one sender cannot push out those of all others.
    package var mailboxFramesPerSender = 1000
    /// Senders without a proof together may use this part of mailboxes and bytes.
    package var unprovenMailShare = 0.1
    /// Bytes of frames that one address may leave waiting. Unmetered keys are exempt, loopback is not.
    package var addressMailBytes = RateLimit(burst: 2 * 1024 * 1024, perSecond: 16 * 1024)
    /// Frames that waited for longer go unread.
    package var mailboxLifetime = Duration.seconds(24 * 60 * 60)
    /// Frames on their way to the disk, in bytes. Further ones are refused.
    package var unwrittenBytes = 32 * 1024 * 1024

    /// How long a typed code's alias can be reached.
    package var aliasLifetime = Duration.seconds(5 * 60)
    /// Frames to aliases that no device holds, and registrations of aliases, of one socket; then it reaches no alias for a while.
    package var socketAliases = RateLimit(burst: 5, perSecond: 0.1)
    /// Frames to aliases that no device holds, and registrations of aliases, of all sockets of one address, loopback included.
    package var addressAliases = RateLimit(burst: 10, perSecond: 10.0 / 60)
    /// How long a challenge can be answered. Source: `docs/protocol.md`, "Proving who registers".
    package var challengeLifetime = Duration.seconds(30)
    /// Ids whose presence one id is shown.
    package var contacts = 512
    /// Pairs of ids that exchanged frames, on disk. The oldest goes first, and a pair that heard one way only before others.
    package var contactRows = 50_000
    /// Pairs that exchanged nothing for longer are forgotten.
    package var contactLifetime = Duration.seconds(30 * 24 * 60 * 60)
    /// New pairs of one address, loopback included.
    package var addressNewContacts = RateLimit(burst: 1_000, perSecond: 0.5)

    /// Ids that belong to a key, on disk.
    package var knownIDs = 100_000
    /// Ids that belong to one key.
    package var idsPerKey = 16
    /// New ids of one address, loopback included.
    package var addressNewIDs = RateLimit(burst: 500, perSecond: 0.1)
    /// An id that was not seen for so long, and for which nothing waits, has no owner any more.
    package var idLifetime = Duration.seconds(90 * 24 * 60 * 60)

    /// A WebSocket ping that often; without a pong until the next, the socket is dead.
    package var pingInterval = Duration.seconds(30)
    /// In how many steps the sockets are visited, so that ten thousand pings do not leave at once.
    package var pingSteps = 30
    /// From the first byte to a finished handshake.
    package var handshakeTimeout = Duration.seconds(10)
    /// From a close frame to the end of the socket.
    package var closeTimeout = Duration.seconds(5)

    package init() {}

    /// The limits of a computer's own server, which serves a household and not a city.
    package static var ofComputer: SignalingLimits {
        var limits = SignalingLimits()
        limits.connections = 256
        limits.reservedConnections = 32
        limits.newcomerConnections = 32
        limits.connectionsPerAddress = 32
        limits.httpConnections = 64
        return limits
    }
}
