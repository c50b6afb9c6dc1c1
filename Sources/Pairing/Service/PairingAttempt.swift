/// A failed attempt to reach the other device.
public struct PairingAttempt: Hashable, Sendable, CustomStringConvertible {
    /// The network through which the other device was looked for.
    public enum Way: String, Hashable, Sendable {
        case lan, relay
    }

    public var way: Way
    /// The reason for the failure: a sentence without its full stop.
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
