/// The frames that are forwarded by their own type rather than inside `message`.
enum SignalType: String, Sendable {
    case offer
    case answer
    case iceCandidate = "ice-candidate"
    case iceCandidates = "ice-candidates"
    case pairingRequest = "pairing:request"
    case pairingConfirmation = "pairing:confirmation"
    case pairingReject = "pairing:reject"
}

/// The notice to a sender whose frame's recipient is away.
enum OfflineNotice: Sendable {
    case message
    /// With the frame's own `id`, JSON, which the standalone dialect echoes.
    case signal(SignalType, id: [UInt8]?)

    var type: String {
        switch self {
        case .message: "message"
        case .signal(let type, _): type.rawValue
        }
    }

    var messageID: [UInt8]? {
        switch self {
        case .message: nil
        case .signal(_, let id): id
        }
    }

    var isAnnouncedWhenEmbedded: Bool {
        switch self {
        case .signal(.iceCandidate, _), .signal(.iceCandidates, _): false
        case .message, .signal: true
        }
    }
}
