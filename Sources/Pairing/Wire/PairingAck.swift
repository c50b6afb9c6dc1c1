/// The phone's answer to a code it scanned or that was typed into it, and its second message when the computer
/// scanned. Source: `docs/protocol.md`, "The messages".
public struct PairingAck: Hashable, Codable, Sendable {
    /// The value of `type`.
    public static let type = "pair-ack"
    /// The member `type`.
    private let type = Self.type

    /// The digits of the code that it answers.
    public var code: String
    /// The phone's DID; a claim until the seal proves it.
    public var mobileDID: String
    /// The phone's description of itself, in the clear.
    public var deviceInfo: PairingDeviceInfo
    /// Milliseconds since 1970-01-01T00:00:00Z, by the sender's clock.
    public var sentAtMilliseconds: Int64
    /// `e2e`; nil from a phone that cannot seal.
    public var seal: PairingSeal?

    public init(
        code: PairingCode,
        mobileDID: String,
        deviceInfo: PairingDeviceInfo,
        sentAtMilliseconds: Int64,
        seal: PairingSeal? = nil
    ) {
        self.code = code.digits
        self.mobileDID = mobileDID
        self.deviceInfo = deviceInfo
        self.sentAtMilliseconds = sentAtMilliseconds
        self.seal = seal
    }

    enum CodingKeys: String, CodingKey {
        case type
        case code = "pairingCode"
        case mobileDID = "mobileDid"
        case deviceInfo
        case sentAtMilliseconds = "timestamp"
        case seal = "e2e"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.requiredText(forKey: .code)
        mobileDID = try container.decode(String.self, forKey: .mobileDID)
        deviceInfo = container.deviceInfo(forKey: .deviceInfo, platform: .other(""))
        sentAtMilliseconds = container.liberalInteger(forKey: .sentAtMilliseconds)
        seal = try container.decodeIfPresent(PairingSeal.self, forKey: .seal)
    }
}
