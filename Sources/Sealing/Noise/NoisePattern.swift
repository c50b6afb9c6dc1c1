extension NoiseHandshake {
    /// The handshake patterns in use. Source: the Noise Protocol Framework, revision 34, sections 7.5 and 9.4.
    public enum Pattern: String, Hashable, Sendable, CaseIterable {
        case IK, IKpsk1, IKpsk2, XXpsk0

        /// The protocol name that starts every transcript.
        var protocolName: String { "Noise_\(rawValue)_25519_AESGCM_SHA256" }

        var usesPSK: Bool { self != .IK }

        /// Whether the initiator knows the responder's static key before the first message.
        var hasResponderPremessage: Bool { self != .XXpsk0 }

        /// The tokens of each message, the initiator's first, then in turns.
        var messages: [[Token]] {
            switch self {
            case .IK: [[.e, .es, .s, .ss], [.e, .ee, .se]]
            case .IKpsk1: [[.e, .es, .s, .ss, .psk], [.e, .ee, .se]]
            case .IKpsk2: [[.e, .es, .s, .ss], [.e, .ee, .se, .psk]]
            case .XXpsk0: [[.psk, .e], [.e, .ee, .s, .es], [.s, .se]]
            }
        }
    }

    /// The end of a handshake; the initiator writes the first message. Signatures contain the raw value.
    public enum Role: String, Hashable, Sendable {
        case initiator, responder

        /// The role of the other end.
        public var opposite: Role { self == .initiator ? .responder : .initiator }
    }

    /// One step of a message, named as in the Noise specification: `es` agrees between the initiator's ephemeral and
    /// the responder's static key.
    enum Token: Hashable, Sendable {
        case e, s, ee, es, se, ss, psk
    }
}
