/// A device that is connected, as the operator of a server sees it.
public struct ConnectedPeer: Hashable, Sendable {
    public var id: String
    /// Whether it proved that the id is its own.
    public var isProven: Bool
    /// The address it came from, of an IPv6 host the /64.
    public var address: String
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var connectedAt: Int64
    public var lastSeen: Int64
}
