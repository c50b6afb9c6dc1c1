import Kernel

/// A device in a relay's list.
public struct PeerEntry: Hashable, Sendable {
    /// The id it is registered under.
    public var peerID: String
    /// The device's description of itself; nil where it gave none.
    public var device: SignalDevice?
    /// When the device connected, in milliseconds since 1970 by the server's clock.
    public var connectedAt: Int64?

    init?(_ entry: JSONValue) {
        guard let peerID = entry["peerId"]?.peerID else { return nil }
        self.peerID = peerID
        device = SignalDevice(entry)
        connectedAt = entry["connectedAt"]?.integerValue
    }
}
