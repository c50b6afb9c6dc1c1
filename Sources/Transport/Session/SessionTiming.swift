/// How long a session waits for what. Sources: `docs/protocol.md` 2.4 and 2.5, and measurements of home networks.
public struct SessionTiming: Hashable, Sendable {
    /// The least time a link is given to answer; each retransmission waits at least as long.
    public var minimumTimeout = Duration.milliseconds(250)
    /// The time a link is given to answer while its round trip is not known yet.
    public var initialTimeout = Duration.milliseconds(500)
    /// Repeated silence doubles a retransmission's wait up to this.
    public var maximumRetransmission = Duration.seconds(10)
    /// How long an acknowledgement may wait for a message to ride along with.
    public var acknowledgementDelay = Duration.milliseconds(20)
    /// How much longer than a link's usual round trip an answer may take.
    public var maximumPatience = Duration.milliseconds(400)
    /// The first time between two questions on the link in use while messages are not acknowledged, or answers are awaited.
    public var busyProbe = Duration.milliseconds(100)
    /// The longest time that ``busyProbe`` grows to while there is no news.
    public var maximumBusyProbe = Duration.milliseconds(500)
    /// The time between two questions on a link that answered and has nothing to do.
    public var idleProbe = Duration.seconds(20)
    /// The longest wait between two questions on a link that does not answer.
    public var maximumSilentProbe = Duration.seconds(5)
    /// The waits for an answer to a handshake; the last one repeats.
    public var handshakeTimeouts: [Duration] = [.seconds(2), .seconds(4), .seconds(8), .seconds(15), .seconds(30)]
    /// A timer that comes so much too late shows that the process did not run.
    public var suspension = Duration.seconds(2)
    /// A notice starts a handshake at most this often.
    public var noticeInterval = Duration.seconds(1)
    /// The initiator replaces a session of this age, and the responder forgets one an hour older.
    public var maximumSessionAge = Duration.seconds(24 * 3600)

    public init() {}
}
