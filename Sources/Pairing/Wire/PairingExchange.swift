/// A step of pairing by a typed code, after the ack and before the confirmation.
/// Source: `docs/protocol.md` 2.3, "Typed code".
public struct PairingExchange: Hashable, Codable, Sendable {
    /// The value of `type`.
    public static let type = "pairing:e2e"
    /// The member `type`.
    private let type = Self.type

    /// The digits of the code that it belongs to.
    public var code: String
    /// `e2e`: the next step.
    public var seal: PairingSeal

    public init(code: PairingCode, seal: PairingSeal) {
        self.code = code.digits
        self.seal = seal
    }

    enum CodingKeys: String, CodingKey {
        case type
        case code = "pairingCode"
        case seal = "e2e"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        seal = try container.decode(PairingSeal.self, forKey: .seal)
    }
}
