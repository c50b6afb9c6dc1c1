/// A refusal to pair, with its reason. It is not signed: it ends a wait with a reason, and never removes or changes a
/// record. Source: `docs/protocol.md` 2.3, "Refusals".
public struct PairingReject: Hashable, Codable, Sendable {
    /// The value of `type`.
    public static let type = "pairing:reject"
    /// The member `type`.
    private let type = Self.type

    /// The reason of a refusal. An open set: a reason that this version does not know is kept as it came.
    public enum Reason: Hashable, Codable, Sendable, RawRepresentable {
        case declined, expired, wrongCode, locked, endToEndRequired, handshakeFailed, keyChanged, busy, tenDigits
        case other(String)

        private static let known: [String: Reason] = [
            "declined": .declined, "expired": .expired, "wrong-code": .wrongCode, "locked": .locked,
            "e2e-required": .endToEndRequired, "handshake-failed": .handshakeFailed, "key-changed": .keyChanged,
            "busy": .busy, "ten-digits": .tenDigits,
        ]

        public init(rawValue: String) { self = Self.known[rawValue] ?? .other(rawValue) }

        public var rawValue: String {
            switch self {
            case .declined: "declined"
            case .expired: "expired"
            case .wrongCode: "wrong-code"
            case .locked: "locked"
            case .endToEndRequired: "e2e-required"
            case .handshakeFailed: "handshake-failed"
            case .keyChanged: "key-changed"
            case .busy: "busy"
            case .tenDigits: "ten-digits"
            case .other(let text): text
            }
        }
    }

    /// The digits of the code that was refused.
    public var code: String
    /// The reason, for programs.
    public var reason: Reason
    /// A sentence for people. In our refusals it says no more than the reason.
    public var message: String

    public init(code: String, reason: Reason) {
        self.code = code
        self.reason = reason
        message = Self.sentence(for: reason)
    }

    enum CodingKeys: String, CodingKey {
        case type
        case code = "pairingCode"
        case reason, message
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.requiredText(forKey: .code)
        reason = try container.decode(Reason.self, forKey: .reason)
        message = container.liberalText(forKey: .message) ?? ""
    }

    private static func sentence(for reason: Reason) -> String {
        switch reason {
        case .declined: "The person at the other device declined."
        case .expired: "The code has expired. Make a new one and try again."
        case .wrongCode: "The code is not the one shown. Check it and try again."
        case .locked: "Too many wrong codes. Wait a few minutes, or scan the code instead."
        case .endToEndRequired: "This device pairs only with programs that can seal what they send."
        case .handshakeFailed: "The other device could not be verified. Make a new code and try again."
        case .keyChanged: "This device is known with another key. Forget it there, then pair again."
        case .busy: "Another pairing is going on. Try again in a minute."
        case .tenDigits: "The computer shows ten digits. Type all of them."
        case .other: "Pairing was refused."
        }
    }
}
