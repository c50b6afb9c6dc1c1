public import Kernel

/// An event that a signaling client reports to its subscribers.
public enum SignalEvent: Hashable, Sendable {
    case message(ReceivedMessage)
    /// A binary frame came from the device with this id.
    case binary(from: String, SignalBinaryFrame)
    /// The recipient of a message is away, and the message is queued.
    case peerOffline(PeerOffline)
    case peerStatus(PeerStatus)
    case peers([PeerEntry])
    case offerPending(peerID: String?, text: String?)
    /// The device takes no binary frames; records are sent as JSON from now on.
    case binaryRefused(by: String)
    case failure(SignalFailure)
    case shutdown(text: String?)
    case kicked(reason: String?)
    case unknown(type: String?, JSONValue)

    /// Whether the event is a binary frame.
    public var isBinary: Bool { if case .binary = self { true } else { false } }
}
