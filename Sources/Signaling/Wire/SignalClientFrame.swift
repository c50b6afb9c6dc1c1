public import Kernel

/// A frame from a client to a signaling server. An open set.
public enum SignalClientFrame: Hashable, Sendable {
    case register(SignalRegistration)
    case forward(SignalMessage)
    case getPeers
    /// A question about one device, or about all when nil.
    case peerStatus(String?)
    case ping(timestamp: Int64?)
    /// An announcement that binary frames with this route are for `to` from now on. Source: `docs/protocol.md` 2.2.
    case route(to: String, number: UInt32)
    /// A frame of another version, or one whose required fields are missing.
    case unknown(type: String?, JSONValue)

    /// The frame's JSON.
    public var json: JSONValue {
        switch self {
        case .register(let registration): registration.json
        case .forward(let message): message.json
        case .getPeers: ["type": "get-peers"]
        case .peerStatus(let peer):
            .object(compacting: ["type": "peer-status", "peerId": peer.map(JSONValue.string)])
        case .ping(let timestamp):
            .object(compacting: ["type": "ping", "timestamp": timestamp.map(JSONValue.integer)])
        case .route(let to, let number): ["type": "route", "to": .string(to), "route": .integer(Int64(number))]
        case .unknown(_, let frame): frame
        }
    }

    /// The text of the frame.
    public var text: String { json.canonicalText }

    /// Reads every form that programs were seen to send; extra fields are ignored.
    public init(_ frame: JSONValue) {
        let type = frame["type"]?.stringValue
        self = Self.decode(frame, type: type) ?? .unknown(type: type, frame)
    }

    private static func decode(_ frame: JSONValue, type: String?) -> SignalClientFrame? {
        switch type {
        case "register": SignalRegistration(frame).map { .register($0) }
        case "get-peers": .getPeers
        case "peer-status": .peerStatus(frame["peerId"]?.peerID)
        case "ping": .ping(timestamp: frame["timestamp"]?.integerValue ?? frame["ts"]?.integerValue)
        case "route": route(frame)
        default: forward(frame)
        }
    }

    private static func route(_ frame: JSONValue) -> SignalClientFrame? {
        guard let to = frame["to"]?.peerID, let number = frame["route"]?.integerValue.flatMap(UInt32.init(exactly:))
        else {
            return nil
        }
        return .route(to: to, number: number)
    }

    private static func forward(_ frame: JSONValue) -> SignalClientFrame? {
        guard let to = frame["to"]?.peerID, let message = ReceivedMessage(frame) else { return nil }
        return .forward(SignalMessage(to: to, kind: message.kind, payload: message.payload, form: message.form))
    }
}
