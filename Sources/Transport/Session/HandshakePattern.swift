import Sealing

/// The two ways a session begins. Source: `docs/protocol.md` 2.4.
enum HandshakePattern: String, Hashable, Sendable {
    case full = "IK"
    /// Also rests on the last session's resumption secret.
    case resumed = "IKpsk2"

    var noise: NoiseHandshake.Pattern {
        switch self {
        case .full: .IK
        case .resumed: .IKpsk2
        }
    }

    func prologue(_ session: SessionID) -> [UInt8] {
        Array("tandem-session-v1".utf8) + [0] + session.bytes + LengthValue.encode(rawValue)
    }
}
