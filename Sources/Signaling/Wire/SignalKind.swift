/// The kind of a forwarded message. An open set. Source: the signaling table in `docs/protocol.md` 1.1.
public enum SignalKind: Hashable, Sendable, RawRepresentable {
    /// The general envelope, which may also contain every other kind.
    case message
    case offer, answer
    case iceCandidate, iceCandidates
    case pairingRequest, pairingConfirmation, pairingReject
    case other(String)

    private static let known: [String: SignalKind] = [
        "message": .message, "offer": .offer, "answer": .answer,
        "ice-candidate": .iceCandidate, "ice-candidates": .iceCandidates,
        "pairing:request": .pairingRequest, "pairing:confirmation": .pairingConfirmation,
        "pairing:reject": .pairingReject,
    ]

    public init(rawValue: String) { self = Self.known[rawValue] ?? .other(rawValue) }

    public var rawValue: String {
        switch self {
        case .message: "message"
        case .offer: "offer"
        case .answer: "answer"
        case .iceCandidate: "ice-candidate"
        case .iceCandidates: "ice-candidates"
        case .pairingRequest: "pairing:request"
        case .pairingConfirmation: "pairing:confirmation"
        case .pairingReject: "pairing:reject"
        case .other(let type): type
        }
    }

    /// Whether relays forward the kind as a frame of its own, beside `message`.
    var isForwardedAlone: Bool {
        switch self {
        case .offer, .answer, .iceCandidate, .iceCandidates, .pairingRequest, .pairingConfirmation, .pairingReject: true
        case .message, .other: false
        }
    }

    /// Whether it is a WebRTC kind, which some programs nest in a `message` because one relay drops it otherwise.
    var isNegotiation: Bool {
        switch self {
        case .offer, .answer, .iceCandidate, .iceCandidates: true
        default: false
        }
    }
}
