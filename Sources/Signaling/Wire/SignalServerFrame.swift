public import Kernel

/// A frame from a signaling server to a client, in every form that relays were seen to use. An open set.
public enum SignalServerFrame: Hashable, Sendable {
    case registered(SignalRegistered)
    /// A challenge to sign; `bindings` are the kinds of channel binding that the server checks. Source: `docs/protocol.md` 2.1.
    case challenge(peerID: String?, nonce: [UInt8], bindings: [String] = [])
    /// A message that was forwarded now, or kept while this device was away.
    case received(ReceivedMessage)
    case peerOffline(PeerOffline)
    case peerStatus(PeerStatus)
    case peers([PeerEntry])
    case offerPending(peerID: String?, text: String?)
    case pong(timestamp: Int64?)
    case failure(SignalFailure)
    case shutdown(text: String?)
    case kicked(reason: String?)
    /// An announcement that binary frames with this route are from `from`.
    case route(from: String, number: UInt32)
    /// The device behind the route takes no binary frames.
    case routeRefused(to: String, number: UInt32)
    case unknown(type: String?, JSONValue)

    /// Reads a frame. Extra fields are ignored, and any optional field may be missing.
    public init(_ frame: JSONValue) {
        let type = frame["type"]?.stringValue
        self = Self.decode(frame, type: type) ?? .unknown(type: type, frame)
    }

    private static func decode(_ frame: JSONValue, type: String?) -> SignalServerFrame? {
        switch type {
        case "registered": .registered(SignalRegistered(frame))
        case "challenge":
            frame["nonce"]?.stringValue.flatMap(Base64URL.decode).map {
                .challenge(
                    peerID: frame["peerId"]?.peerID,
                    nonce: $0,
                    bindings: frame["cb"]?.arrayValue?.compactMap(\.stringValue) ?? []
                )
            }
        case "offline-message": stored(frame)
        case "peer-offline": PeerOffline(frame).map { .peerOffline($0) }
        case "peer-status", "peer-status-response": PeerStatus(frame).map { .peerStatus($0) }
        case "peers-list": .peers((frame["peers"]?.arrayValue ?? []).compactMap(PeerEntry.init))
        case "offer-pending":
            .offerPending(peerID: frame["peerId"]?.peerID, text: frame["message"]?.stringValue)
        case "pong": .pong(timestamp: frame["timestamp"]?.integerValue)
        case "error": .failure(SignalFailure(frame))
        case "server-shutdown": .shutdown(text: frame["message"]?.stringValue)
        case "kicked": .kicked(reason: frame["reason"]?.stringValue)
        case "route": route(frame)
        default: ReceivedMessage(frame).map { .received($0) }
        }
    }

    private static func stored(_ frame: JSONValue) -> SignalServerFrame? {
        guard let original = frame["originalMessage"], var message = ReceivedMessage(original) else { return nil }
        message.storage = ReceivedMessage.Storage(
            storedAt: frame["storedAt"]?.integerValue,
            deliveredAt: frame["deliveredAt"]?.integerValue
        )
        return .received(message)
    }

    private static func route(_ frame: JSONValue) -> SignalServerFrame? {
        guard let number = frame["route"]?.integerValue.flatMap(UInt32.init(exactly:)) else { return nil }
        if let from = frame["from"]?.peerID { return .route(from: from, number: number) }
        guard let to = frame["to"]?.peerID, frame["refused"]?.boolValue == true else { return nil }
        return .routeRefused(to: to, number: number)
    }
}
