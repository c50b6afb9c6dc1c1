/// Where a feature's route is served.
public enum RoutePort: Hashable, Sendable {
    /// On the server's port, beside the relay.
    case shared
    /// On a port of its own at the same address, with the same certificate, rules and limits, and no relay. Routes with the same name share
    /// it. Number 0 is any free port, which the server tells by the name.
    case own(name: String, number: Int)
}
