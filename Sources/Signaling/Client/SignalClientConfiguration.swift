import Foundation
public import Kernel
import Transport

/// The timing and limits of a signaling client. Source: `docs/protocol.md`, "Keepalive and reconnect".
public struct SignalClientConfiguration: Sendable {
    /// The servers that may be dialled.
    public var policy = SignalURLPolicy()
    /// The longest time for a try to connect; a server in the same network gets less.
    public var connectTimeout = Duration.seconds(10)
    /// The longest time from a `register` to the server's answer.
    public var registrationTimeout = Duration.seconds(10)
    /// The time between two pings. Proxies and address translators drop sockets that are quiet for longer than about 25 s.
    public var keepalive = Duration.seconds(20)
    /// The longest time for a pong before the connection counts as lost.
    public var pongTimeout = Duration.seconds(10)
    /// The longest time for a pong when a session got no answer over the connection, or the machine slept. Where the server's system
    /// still acknowledges data, ``pongTimeout`` holds.
    public var doubtTimeout = Duration.seconds(1)
    /// The time that a registration must last, before the network breaks it, to reset the backoff.
    public var heldAfter = Duration.milliseconds(500)
    /// The shortest wait between two tries while a caller needs the connection. It holds for ``hurriedFor`` after the loss, then
    /// ``lateHurriedWait`` does.
    public var hurriedWait = Duration.seconds(1)
    /// ``hurriedWait`` for a server in the same network, whose computer may just be waking up.
    public var localHurriedWait = Duration.milliseconds(250)
    /// The time after the loss for which ``hurriedWait`` holds.
    public var hurriedFor = Duration.seconds(180)
    /// The shortest wait after that time.
    public var lateHurriedWait = Duration.seconds(5)
    /// The waits between the first checks for a lost registration: a relay forgets us when an older connection of ours ends.
    public var earlyProbes: [Duration] = [.seconds(2), .seconds(2), .seconds(4)]
    /// The time that a connection must last to reset the backoff, so that two devices with one id do not chase each other.
    public var settledAfter = Duration.seconds(30)
    /// The waits between tries while no caller needs the connection.
    public var backoff = Backoff.signaling
    /// The time for which a replaced client leaves the other in place before it proves the id again. The other may be a thief, who
    /// must not keep the owner away.
    public var replacedPatience = Duration.seconds(60)
    /// The wait of a client whose id or key the server refused: a person has to do something about it.
    public var refusedPatience = Duration.seconds(300)
    /// The largest frame that is sent. One of the relays refuses larger ones and closes the connection.
    public var maximumFrameBytes = 1 << 20

    public init() {}

    func hurriedWait(to url: URL?) -> Duration {
        LocalAddresses.isLocal(url?.host(percentEncoded: false) ?? "") ? localHurriedWait : hurriedWait
    }

    /// The longest time for a try to connect. In the same network an answer takes milliseconds, so a new try is better than a long
    /// wait; each fourth try has time for a slow network.
    func connectTimeout(to url: URL, try number: Int) -> Duration {
        guard LocalAddresses.isLocal(url.host(percentEncoded: false) ?? "") else { return connectTimeout }
        return min(connectTimeout, number % 4 == 3 ? .seconds(4) : .milliseconds(1500))
    }
}
