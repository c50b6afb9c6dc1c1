import Kernel

/// One device in a relay's list.
public struct PeerEntry: Hashable, Sendable {
    /// The id it is registered under.
    public var peerID: String
    /// What it said of itself; nil where it said nothing.
    public var device: SignalDevice?
    /// Since when, in milliseconds since 1970 by the server's clock.
    public var connectedAt: Int64?

    init?(_ entry: JSONValue) {
        guard let peerID = entry["peerId"]?.peerID else { return nil }
        self.peerID = peerID
        device = SignalDevice(entry)
        connectedAt = entry["connectedAt"]?.integerValue
    }
}
