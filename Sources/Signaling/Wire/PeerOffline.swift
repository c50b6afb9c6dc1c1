import Kernel

/// The notice that a message's recipient is away. The relay queues the message, except for binary frames, which are lost.
public struct PeerOffline: Hashable, Sendable {
    /// The id of the absent device.
    public var peerID: String
    /// A random id that one relay adds; not used.
    public var messageID: String?
    /// The kind of the frame that was sent; `binary` for a binary frame.
    public var messageType: String?
    /// The route of the lost binary frame; nil for other frames.
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
