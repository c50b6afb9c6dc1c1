import Kernel

/// The message that ends a pairing: the sender removed its record, and the receiver removes its own. It is sent inside the sealed
/// session only. Source: `docs/protocol.md` 2.6.
public struct PairingForget: Hashable, Codable, Sendable {
    /// The value of `type`.
    public static let type = "pairing:forget"

    public init() {}

    /// The message's bytes inside a session.
    public static let message: [UInt8] = (["type": .string(type)] as JSONValue).canonicalBytes

    enum CodingKeys: String, CodingKey {
        case type
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .type) == Self.type else {
            throw DecodingError.dataCorruptedError(forKey: .type, in: container, debugDescription: "not \(Self.type)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Self.type, forKey: .type)
    }
}
