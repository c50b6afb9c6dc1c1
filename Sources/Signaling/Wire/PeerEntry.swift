import Kernel

/// One device in a relay's list.
public struct PeerEntry: Hashable, Sendable {
    public var peerID: String
    public var device: SignalDevice?
    public var connectedAt: Int64?

    init?(_ entry: JSONValue) {
        guard let peerID = entry["peerId"]?.peerID else { return nil }
        self.peerID = peerID
        device = SignalDevice(entry)
        connectedAt = entry["connectedAt"]?.integerValue
    }
}
