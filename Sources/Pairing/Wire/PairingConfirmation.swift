/// The computer's confirmation of a pairing: its answer to an accepted ack, and its first message when it scanned the phone's
/// code. Source: `docs/protocol.md`, "The messages".
public struct PairingConfirmation: Hashable, Codable, Sendable {
    /// The value of `type`.
    public static let type = "pairing:confirmation"
    /// The member `type`.
    private let type = Self.type

    /// The digits of the code that it belongs to.
    public var code: String
    /// The computer's id; a claim until the seal proves it.
    public var pcPeerID: String
    /// The computer's description of itself, in the clear.
    public var deviceInfo: PairingDeviceInfo
    /// Milliseconds since 1970-01-01T00:00:00Z, by the sender's clock.
    public var sentAtMilliseconds: Int64
    /// `e2e`; nil from a computer that cannot seal.
    public var seal: PairingSeal?

    public init(
        code: PairingCode,
        pcPeerID: String,
        deviceInfo: PairingDeviceInfo,
        sentAtMilliseconds: Int64,
        seal: PairingSeal? = nil
    ) {
        self.code = code.digits
        self.pcPeerID = pcPeerID
        self.deviceInfo = deviceInfo
        self.sentAtMilliseconds = sentAtMilliseconds
        self.seal = seal
    }

    /// The id at which a computer that does not prove its id is reached: the one that the server stamped, else the one that it claims.
    static func address(claimed: String, sender: String?) -> String {
        guard let sender, !sender.isEmpty, PeerText.isIdentifier(sender) else { return claimed }
        return sender
    }

    enum CodingKeys: String, CodingKey {
        case type
        case code = "pairingCode"
        case pcPeerID = "pcPeerId"
        case deviceInfo
        case sentAtMilliseconds = "timestamp"
        case seal = "e2e"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.requiredText(forKey: .code)
        pcPeerID = try container.requiredText(forKey: .pcPeerID)
        deviceInfo = container.deviceInfo(forKey: .deviceInfo, platform: .other("desktop"))
        sentAtMilliseconds = container.liberalInteger(forKey: .sentAtMilliseconds)
        seal = try container.decodeIfPresent(PairingSeal.self, forKey: .seal)
    }
}
