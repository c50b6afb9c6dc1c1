import Kernel

/// The offer in a QR code with which a scanning device can pair end to end: the member `e2e` of the QR's JSON.
/// Source: `docs/protocol.md` 2.3, "QR".
public struct QROffer: Hashable, Codable, Sendable {
    /// `v`, which is 1 in codes of ours. A reader of a higher version answers with its own.
    public var version: Int
    /// The static key of the device that shows the code.
    public var agreementKey: AgreementPublicKey
    /// A secret of 16 bytes, made for this code only.
    public var secret: [UInt8]

    enum CodingKeys: String, CodingKey {
        case version = "v"
        case agreementKey = "pk"
        case secret = "psk"
    }

    /// Makes an offer for a new code.
    public init(identity: Identity) {
        version = 1
        agreementKey = identity.agreementKey
        secret = RandomBytes.make(16)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(Int.self, forKey: .version)
        agreementKey = try container.decode(AgreementPublicKey.self, forKey: .agreementKey)
        let text = try container.decode(String.self, forKey: .secret)
        guard let bytes = Base64URL.decode(text), bytes.count == 16 else {
            throw DecodingError.dataCorruptedError(forKey: .secret, in: container, debugDescription: "not 16 bytes")
        }
        secret = bytes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(agreementKey, forKey: .agreementKey)
        try container.encode(Base64URL.encode(secret), forKey: .secret)
    }

    /// The `psk` of the handshake.
    var noisePSK: [UInt8] { Hashing.hkdfSHA256(secret, info: Array("tandem-qr-psk-v1".utf8), count: 32) }
}

// Printing or dumping an offer shows the key, and not the secret.
extension QROffer: CustomStringConvertible, CustomReflectable {
    public var description: String { "offer of \(Base64URL.encode(agreementKey.bytes))" }
    public var customMirror: Mirror { Mirror(self, children: ["agreementKey": agreementKey]) }
}
