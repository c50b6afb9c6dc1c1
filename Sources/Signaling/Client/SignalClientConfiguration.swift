import Foundation
public import Kernel
import Transport

/// How a signaling client behaves. Source: `docs/protocol.md`, "Keepalive and reconnect".
public struct SignalClientConfiguration: Sendable {
    /// Which servers may be dialled.
    public var policy = SignalURLPolicy()
    /// How long a try to connect may take; a server in the same network gets less.
    public var connectTimeout = Duration.seconds(10)
    /// From a `register` to the server's answer.
    public var registrationTimeout = Duration.seconds(10)
    /// Between two pings. Proxies and address translators drop sockets that are quiet for longer than about 25 s.
    public var keepalive = Duration.seconds(20)
    /// How long a pong may take before the connection counts as lost.
    public var pongTimeout = Duration.seconds(10)
    /// The same when a session has no answer over the connection, or the machine slept. Where the server's system still takes what is
    /// sent, it has ``pongTimeout``.
    public var doubtTimeout = Duration.seconds(1)
    /// A registration that lasted this long before the network took it starts the backoff anew.
    public var heldAfter = Duration.milliseconds(500)
    /// The shortest wait between two tries while a caller needs the connection, and for how long after it was lost; then the later one.
    public var hurriedWait = Duration.seconds(1)
    /// The same for a server in the same network, whose computer may just be waking up.
    public var localHurriedWait = Duration.milliseconds(250)
    /// How long after the loss ``hurriedWait`` holds.
    public var hurriedFor = Duration.seconds(180)
    /// What ``hurriedWait`` becomes then.
    public var lateHurriedWait = Duration.seconds(5)
    /// The waits between the first looks for a lost registration; a relay forgets us when an older connection of ours ends.
    public var earlyProbes: [Duration] = [.seconds(2), .seconds(2), .seconds(4)]
    /// A connection that lasted this long starts the backoff anew: two devices with one id must not chase each other.
    public var settledAfter = Duration.seconds(30)
    /// The waits between tries while no caller needs the connection.
    public var backoff = Backoff.signaling
    /// How long a client that another proof replaced leaves the other in place, before it proves the id again itself: the other may
    /// be a thief, and the owner must not stay away for it.
    public var replacedPatience = Duration.seconds(60)
    /// How long a client waits whose id or key the server refused: a person has to do something about it.
    public var refusedPatience = Duration.seconds(300)
    /// Larger frames are refused by one of the relays, which then closes the connection.
    public var maximumFrameBytes = 1 << 20

    public init() {}

    func hurriedWait(to url: URL?) -> Duration {
        LocalAddresses.isLocal(url?.host(percentEncoded: false) ?? "") ? localHurriedWait : hurriedWait
    }

    /// How long a try may take. In the same network an answer takes milliseconds, and a new try is worth more than waiting for an old one;
    /// each fourth has time for a network that is slow all the same.
    func connectTimeout(to url: URL, try number: Int) -> Duration {
        guard LocalAddresses.isLocal(url.host(percentEncoded: false) ?? "") else { return connectTimeout }
        return min(connectTimeout, number % 4 == 3 ? .seconds(4) : .milliseconds(1500))
    }
}
