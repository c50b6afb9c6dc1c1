/// One way that was tried to reach the other device, and what came of it.
public struct PairingAttempt: Hashable, Sendable, CustomStringConvertible {
    /// Where the other device was looked for.
    public enum Way: String, Hashable, Sendable {
        case lan, relay
    }

    /// Where it was looked for.
    public var way: Way
    /// A sentence without its full stop.
    public var reason: String

    public init(way: Way, reason: String) {
        self.way = way
        self.reason = reason
    }

    public var description: String {
        switch way {
        case .lan: "on the local network: \(reason)"
        case .relay: "through the relay: \(reason)"
        }
    }
}
