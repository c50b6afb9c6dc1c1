import Kernel

/// Bytes that travel as base64url text.
public struct WireBytes: Hashable, Sendable, Codable {
    /// What the base64url text stands for.
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The longest handshake message is well below: a proof with the longest names that are accepted.
    static let limit = 4096

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.utf8.count <= Self.limit * 4 / 3 + 4, let bytes = Base64URL.decode(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url, or too long")
        }
        self.bytes = bytes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(bytes))
    }
}
