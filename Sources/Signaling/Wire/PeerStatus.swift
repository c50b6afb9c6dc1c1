import Kernel

/// A device came or went.
public struct PeerStatus: Hashable, Sendable {
    public var peerID: String
    public var isOnline: Bool
    public var device: SignalDevice?
    public var timestamp: Int64?

    public init(peerID: String, isOnline: Bool, device: SignalDevice? = nil) {
        self.peerID = peerID
        self.isOnline = isOnline
        self.device = device
    }

    init?(_ frame: JSONValue) {
        guard let peerID = frame["peerId"]?.peerID, let status = frame["status"]?.stringValue else { return nil }
        self.peerID = peerID
        isOnline = status == "online"
        device = SignalDevice(frame)
        timestamp = frame["timestamp"]?.integerValue
    }
}
