import Kernel

/// The notice that a device came or went.
public struct PeerStatus: Hashable, Sendable {
    /// The id of the device.
    public var peerID: String
    /// Whether a socket is registered under that id.
    public var isOnline: Bool
    /// The device's description of itself; nil when it is away.
    public var device: SignalDevice?
    /// Milliseconds since 1970 by the server's clock.
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
