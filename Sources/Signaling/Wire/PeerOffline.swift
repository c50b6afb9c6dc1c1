import Kernel

/// The target is away. What was sent to it is queued by the relay, except for binary frames, which are gone.
public struct PeerOffline: Hashable, Sendable {
    /// Who is away.
    public var peerID: String
    /// One relay's random id, of no use.
    public var messageID: String?
    /// The kind of the frame that was sent; `binary` for a binary frame.
    public var messageType: String?
    /// The route of the binary frame that did not go; nil for other frames.
    public var route: UInt32?
    /// Milliseconds since 1970 by the server's clock.
    public var timestamp: Int64?

    public init(peerID: String, messageType: String? = nil) {
        self.peerID = peerID
        self.messageType = messageType
    }

    init?(_ frame: JSONValue) {
        guard let peerID = frame["peerId"]?.peerID else { return nil }
        self.peerID = peerID
        messageID = frame["messageId"]?.stringValue
        messageType = frame["messageType"]?.stringValue
        route = frame["route"]?.integerValue.flatMap(UInt32.init(exactly:))
        timestamp = frame["timestamp"]?.integerValue
    }
}
