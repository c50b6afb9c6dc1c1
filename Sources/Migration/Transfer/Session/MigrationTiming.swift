/// The times of a migration's links. Source: `docs/protocol.md` 2.14.
public struct MigrationTiming: Hashable, Sendable {
    /// A side that sent nothing for this long sends `Ping`.
    public var ping = Duration.seconds(2)
    /// A link that is silent for this long is dead.
    public var death = Duration.seconds(8)
    /// A step of the proof that takes longer ends the link.
    public var proofStep = Duration.seconds(10)
    /// The wait of a side that dials for the first answer: the person may still be typing the PIN on the other phone.
    public var firstAnswer = Duration.seconds(150)
    /// The waits between attempts to reach the peer again; the last one repeats.
    public var backoff: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
    /// A peer that is not reached for this long ends the run, which may begin again later.
    public var reconnection = Duration.seconds(600)
    /// The wait for a peer that is gone once this side knows how the migration ended.
    public var lastWord = Duration.seconds(30)
    /// The wait for the peer to close the link after the last message.
    public var linger = Duration.seconds(2)
    /// An acknowledgement waits for others no longer than this.
    public var acknowledgement = Duration.milliseconds(50)
    /// Received chunks become durable at least this often.
    public var sync = Duration.milliseconds(500)
    /// A chunk without an acknowledgement for this long is sent again. Links lose nothing, so this only heals a peer's mistake.
    public var resend = Duration.seconds(60)

    public init() {}
}
