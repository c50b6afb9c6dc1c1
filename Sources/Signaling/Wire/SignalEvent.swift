public import Kernel

/// What a signaling client tells its subscribers.
public enum SignalEvent: Hashable, Sendable {
    case message(ReceivedMessage)
    /// A binary frame from the device with this id.
    case binary(from: String, SignalBinaryFrame)
    /// What was sent to that device is queued.
    case peerOffline(PeerOffline)
    case peerStatus(PeerStatus)
    case peers([PeerEntry])
    case offerPending(peerID: String?, text: String?)
    /// The device takes no binary frames; they go as JSON from now on.
    case binaryRefused(by: String)
    case failure(SignalFailure)
    case shutdown(text: String?)
    case kicked(reason: String?)
    case unknown(type: String?, JSONValue)

    /// Whether it is a binary frame.
    public var isBinary: Bool { if case .binary = self { true } else { false } }
}
