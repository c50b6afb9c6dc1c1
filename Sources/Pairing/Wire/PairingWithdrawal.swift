/// The message with which a phone takes its request back: its person gave up before the one at the computer had decided.
/// Source: `docs/protocol.md` 2.3, "Both or neither".
public struct PairingWithdrawal: Hashable, Codable, Sendable {
    /// The value of `type`.
    public static let type = "pairing:withdraw"
    /// The member `type`.
    private let type = Self.type

    /// The digits of the code that the question named.
    public var code: String
    /// The DID of the phone that asked.
    public var mobileDID: String
    /// `e2e`: the signature over the question.
    public var seal: PairingSeal

    public init(code: PairingCode, mobileDID: String, signature: [UInt8]) {
        self.code = code.digits
        self.mobileDID = mobileDID
        seal = PairingSeal(withdrawal: signature)
    }

    enum CodingKeys: String, CodingKey {
        case type
        case code = "pairingCode"
        case mobileDID = "mobileDid"
        case seal = "e2e"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.requiredText(forKey: .code)
        mobileDID = try container.decode(String.self, forKey: .mobileDID)
        seal = try container.decode(PairingSeal.self, forKey: .seal)
    }
}
