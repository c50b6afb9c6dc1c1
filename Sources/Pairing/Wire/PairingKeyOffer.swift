import Kernel
public import Sealing

/// The optional `e2e` object of both QR codes: the key of the device that shows the code, and a secret made for this
/// code only. Source: `docs/protocol.md` 2.3, "QR".
public struct PairingKeyOffer: Hashable, Codable, Sendable {
    public var version: Int
    public var agreementKey: AgreementPublicKey
    /// 16 random bytes.
    public var secret: WireBytes

    public init(agreementKey: AgreementPublicKey, secret: [UInt8]) {
        version = 1
        self.agreementKey = agreementKey
        self.secret = WireBytes(secret)
    }

    enum CodingKeys: String, CodingKey {
        case version = "v"
        case agreementKey = "pk"
        case secret = "psk"
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        agreementKey = try container.decode(AgreementPublicKey.self, forKey: .agreementKey)
        secret = try container.decode(WireBytes.self, forKey: .secret)
        guard secret.bytes.count == 16, version >= 1 else {
            throw DecodingError.dataCorruptedError(forKey: .secret, in: container, debugDescription: "not 16 bytes")
        }
    }
}
